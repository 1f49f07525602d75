import { expect, test } from 'vitest';
import { loadRequirements } from '../../../contract-tests/spec-data.ts';
import { faults } from './index.ts';

const requirements = loadRequirements();

test('each fault has a unique id and a unique description', () => {
  expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
  expect(new Set(faults.map(({ description }) => description)).size).toBe(faults.length);
  for (const { id, description } of faults) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(description).toMatch(/^\S.*\.$/);
  }
});

test('a fault names existing requirements, each once', () => {
  const known = requirements.map(({ id }) => id);
  for (const { id, requirements: broken } of faults)
    expect(
      [...new Set(broken)].filter((one) => known.includes(one)),
      id,
    ).toEqual(broken);
});

test('each requirement that can be checked is the main one of some fault', () => {
  const broken = new Set(faults.map(({ requirements: [main] }) => main));
  const unbroken = requirements.filter(({ id, excluded }) => excluded === undefined && !broken.has(id));
  expect(unbroken.map(({ id }) => id)).toEqual([]);
});

test('every fault violates a requirement, except environment faults and variations', () => {
  for (const { id, family, requirements: broken } of faults)
    expect(broken.length > 0, id).toBe(family !== 'environment' && family !== 'variation');
});
