import { ViewHead } from './card.tsx';

/** Shown where the address names something that does not exist, e.g. "no view nowhere". */
export const NotFound = ({ what }: { readonly what: string }) => (
  <ViewHead
    title="Not found"
    hint={
      <>
        There is {what}. <a href="#/overview">Overview</a>
      </>
    }
  />
);
