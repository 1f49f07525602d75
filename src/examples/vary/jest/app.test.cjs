// Run by `platform-mock vary`: a suite of Jest, whose JUnit file is named by a variable.
/* global expect, test */

/** What this app says to a caller who has not signed in. */
async function greeting() {
  const { status } = await fetch(`${process.env.PLATFORM_MOCK_URL}/v1/api-tokens/scopes`);
  return status === 401 ? 'Please sign in.' : 'Please try again later.';
}

test('who has not signed in is asked to', async () => {
  expect(await greeting()).toBe('Please sign in.');
});

test('the app says something', async () => {
  expect(await greeting()).toMatch(/^Please/);
});
