import { createHash } from 'node:crypto';

/** A Lua script, which Redis runs as one step. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

const script = (text: string): Script => ({ text, sha: createHash('sha1').update(text).digest('hex') });

/** Entries kept in addition to a whole state: replicas that lag less need no whole state, and a lost reply can be found. */
const keptEntries = 50;

/** Redis's time in milliseconds since 1970, in Lua: the same for all replicas. */
const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * Lists a sandbox, and removes expired ones from the list. KEYS: the list. ARGV: name, time to live in ms, how many there may be.
 * Gives how many there are, or -1 where there would be too many.
 */
export const listScript = script(`${now}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. now)
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return -1 end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
return redis.call('ZCARD', KEYS[1])
`);

/**
 * Compare-and-set of one world: appends a commit if the world is at the commit that the caller knows, otherwise returns the commits
 * since then. The world is one hash: `g` its generation, the id of the commit that made it; `v` its version and `i` the id of
 * its last commit; `w` its whole state as of version `wv`; under each version since, and some before (from `lo` on), `<id of the
 * commit> <its changes>`; `wm` the last version that only a whole state leads to; `f` the options
 * of the replica that made it; `o`, at the main world, what new sandboxes start
 * from. A script writes last, so one that fails wrote nothing. Versions restart when a sandbox is deleted and made again, or Redis
 * is restored from a backup, so the id is compared too. A commit that may have run in a world of another generation does not run
 * in this one.
 *
 * KEYS: the world, its journal. ARGV: known version (0: none), id of that commit, id of this one, kind, changes or state, time to
 * live in ms or '', 'first' or the known generation where the same call may have come before, what new sandboxes start from or '',
 * the options of this replica.
 * Kinds: `read`; `append` changes; `whole` state; `delete`; `compact`, which replaces the entries by the state that they lead to.
 * Gives `ok`, now, version, entries since the whole state · `lost`, now, where it cannot be known whether it came before · `behind`,
 * now, version, id, generation, then a whole state or '' and its version, then entries · `absent`, now · `other`, now: other options.
 */
export const commitScript = script(`${now}
local world, version, id = KEYS[1], tonumber(ARGV[1]), ARGV[2]
local this, kind, payload, ttl, known = ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local head = redis.call('HMGET', world, 'v', 'i', 'wv', 'lo', 'wm', 'g', 'f')
local v, i, wv, lo = tonumber(head[1] or 0), head[2] or '', tonumber(head[3] or 0), tonumber(head[4] or 1)
local wm, generation = tonumber(head[5] or 0), head[6] or ''
if v > 0 and head[7] ~= ARGV[9] then return {'other', now} end
local function renew()
  if ttl == '' or v == 0 then return end
  redis.call('PEXPIRE', world, ttl)
  redis.call('PEXPIRE', KEYS[2], ttl)
end
local function idAt(at)
  local entry = redis.call('HGET', world, tostring(at))
  return entry and string.match(entry, '^%S+')
end
if v > version and idAt(version + 1) == this then return {'ok', now, version + 1, v - wv} end
if known ~= 'first' then
  if kind == 'delete' and v == 0 then return {'ok', now, 0, 0} end
  if v == 0 or generation ~= known or (v > version and i ~= id and not idAt(version + 1)) then return {'lost', now} end
end
if v ~= version or i ~= id then
  if v == 0 then return {'absent', now} end
  renew()
  local from, state = version, ''
  if version == 0 or version > v or version < wm or idAt(version) ~= id then
    from, state = wv, redis.call('HGET', world, 'w')
  end
  local told = {'behind', now, v, i, generation, state, from}
  for at = from + 1, v do told[#told + 1] = redis.call('HGET', world, tostring(at)) end
  return told
end
if kind == 'delete' then
  redis.call('DEL', world, KEYS[2])
  return {'ok', now, 0, 0}
end
if kind == 'append' or kind == 'whole' then
  if v == 0 then generation = this end
  v = v + 1
  redis.call('HSET', world, 'f', ARGV[9], 'g', generation, 'v', v, 'i', this, tostring(v), this .. ' ' .. (kind == 'append' and payload or ''))
  if ARGV[8] ~= '' then redis.call('HSET', world, 'o', ARGV[8]) end
end
if kind == 'whole' or kind == 'compact' then
  redis.call('HSET', world, 'w', payload, 'wv', v)
  wv = v
  if kind == 'whole' then redis.call('HSET', world, 'wm', v) end
  local keep = v - ${keptEntries}
  for at = lo, keep do redis.call('HDEL', world, tostring(at)) end
  redis.call('HSET', world, 'lo', math.max(lo, keep + 1))
end
renew()
return {'ok', now, v, v - wv}
`);

/** Number of the last entry of a journal, in Lua. The number of an entry is the first part of its id in the stream. */
const lastNumber = `
local function lastNumber(journal)
  local info = redis.pcall('XINFO', 'STREAM', journal)
  if info.err then return 0 end
  for at = 1, #info, 2 do
    if info[at] == 'last-generated-id' then return tonumber(string.match(info[at + 1], '^%d+')) end
  end
  return 0
end
`;

/**
 * Appends entries to a journal. KEYS: the journal, its world. ARGV: how many entries it keeps, time to live in ms or '', entries.
 * Nothing where the world is gone.
 */
export const journalScript = script(`${lastNumber}
if redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
local number = lastNumber(KEYS[1])
for at = 3, #ARGV do
  number = number + 1
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], number .. '-0', 'e', ARGV[at])
end
if ARGV[2] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return number
`);

/**
 * Reads a journal on. KEYS: the journal, its world. ARGV: number of the last entry that is known, how many at most.
 * Gives whether the world is there, numbers of the last entry and of the last one that was cleared, then number and text of each.
 */
export const readJournalScript = script(`${lastNumber}
local cleared = tonumber(redis.call('HGET', KEYS[2], 'jc') or 0)
local last = lastNumber(KEYS[1])
local after = tonumber(ARGV[1])
if after > last then after = 0 end
local told = {redis.call('EXISTS', KEYS[2]), last, cleared}
if ARGV[2] == '0' then return told end
local entries = redis.call('XRANGE', KEYS[1], '(' .. after .. '-0', '+', 'COUNT', ARGV[2])
for at = 1, #entries do
  told[#told + 1] = string.match(entries[at][1], '^%d+')
  told[#told + 1] = entries[at][2][2]
end
return told
`);

/** Clears a journal; its numbers continue. KEYS: the journal, its world. */
export const clearJournalScript = script(`${lastNumber}
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('HSET', KEYS[2], 'jc', lastNumber(KEYS[1]))
  redis.call('XTRIM', KEYS[1], 'MAXLEN', 0)
end
return 1
`);
