import { apiKeys } from '../platform';

// Rendered for each request, not at build time.
export const dynamic = 'force-dynamic';

export default async function Page() {
  const keys = await apiKeys();
  return (
    <ul>
      {keys.map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
    </ul>
  );
}
