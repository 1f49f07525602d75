/** Which requests go to the service behind the mock. */
export interface Split {
  /** Paths (`*` matches anything) that go there although the mock knows them. */
  readonly only?: readonly string[] | undefined;
  /** The operations that the mock answers; everything else goes there. */
  readonly mockOnly?: readonly string[] | undefined;
}

/** The service behind the mock, and which requests it gets: those that the mock does not know, unless the split says more. */
export interface Upstream {
  readonly url: string;
  /** Whether requests that may change something go there if it is on another machine. */
  readonly allowsWrites: boolean;
  split: Split;
}
