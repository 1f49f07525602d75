import { createHash } from 'node:crypto';

export type Script = ReturnType<typeof script>;

const script = (text: string) => ({ text, sha: createHash('sha1').update(text).digest('hex') });

/**
 * Entries kept in addition to a whole state, those beyond its size without their changes: replicas that lag less need no whole
 * state, and a lost reply can be found.
 */
const keptEntries = 50;
/** Entries since the whole state after which another one replaces them, or as many bytes as it has, but some at least. */
const [mostEntries, leastBytes] = [200, 16 * 1024];

/** Redis's time in milliseconds since 1970, in Lua: the same for all replicas. */
const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * Lists a sandbox, and removes expired ones from the list. KEYS: the names by expiry, and in alphabetical order. ARGV: name, time to
 * live in ms, how many there may be. Gives how many there are, or -1 where there would be too many, and the expiry that it was
 * listed with.
 */
export const listScript = script(`${now}
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. now, 'LIMIT', 0, 1000)) do
  for _, key in ipairs(KEYS) do redis.call('ZREM', key, name) end
end
local count = redis.call('ZCOUNT', KEYS[1], now, '+inf')
local before = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not before then
  if count >= tonumber(ARGV[3]) then return {-1} end
  count = count + 1
end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[2], 0, ARGV[1])
return {count, before or ''}
`);

/** Removes sandboxes from the list, unless listed later. KEYS: as above. ARGV: greatest expiry, in ms since 1970; then names. */
export const unlistScript = script(`
for at = 2, #ARGV do
  if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[at]) or 0) <= tonumber(ARGV[1]) then
    for _, key in ipairs(KEYS) do redis.call('ZREM', key, ARGV[at]) end
  end
end
return 1
`);

/** Deletes worlds, unless they were made later. KEYS: each world and its journal. ARGV: when, in ms since 1970. */
export const deleteScript = script(`
for at = 1, #KEYS, 2 do
  if tonumber(redis.call('HGET', KEYS[at], 'm') or 0) <= tonumber(ARGV[1]) then redis.call('DEL', KEYS[at], KEYS[at + 1]) end
end
return 1
`);

/** Placeholder for an empty word in the head of a commit, whose words are separated by spaces. */
export const nothing = '-';
/** Placeholder for the generation of a call that cannot be a repetition. */
export const firstCall = '*';

/**
 * Compare-and-set of worlds, each for itself: appends a commit if the world is at the commit that the caller knows, otherwise returns the commits
 * since then. The world is one hash: `g` its generation, the id of the commit that made it, at `m`; `v` its version and `i` the id of
 * its last commit; `w` its whole state as of version `wv`; under each version since, and some before (from `lo` on), `<id of the
 * commit> <its changes>`; `b` bytes of the entries since; `wm` the last version that only a whole state leads to; `lb` the replica that alone may
 * write until `lu`; `f` the options of the replica that made it; `o`, at the main world, what new sandboxes start from; `s` what a list
 * says of it, and `jt` the number of its journal's last entry. A script writes last, so one that fails wrote nothing. Versions restart when a sandbox is deleted and made again, or Redis
 * is restored from a backup, so the id is compared too. A commit that may have run in a world of another generation does not run
 * in this one.
 *
 * KEYS: of each, the world, and its journal where that is deleted or gets a time to live. ARGV: of each, one. Its first line: kind, known version
 * (0: none), id of that commit, id of this one, time to live in ms, `firstCall` or the known generation where the same call may have come before, the
 * options of this replica, ms for which no other replica may write after this one loses, what a list says of the world, or '' where that is as before. Then changes or state, the
 * latter with a line of what new sandboxes start from. Small changes are published on the channel of the world's key, after the ids of
 * the commit before and of theirs.
 * Kinds: `read`; `append` changes; `whole` state; `delete`; `compact`, which replaces the entries by the state that they lead to.
 * Gives of each `ok`, now, version, 1 if a whole state should replace the entries · `lost`, now, where it cannot be known whether it came
 * before · `behind`, now, version, id, generation, a whole state or '', 1 if the known commit is none of this world's, then entries · `absent`, now · `other`,
 * now: other options · `leased`, now, ms for which another replica alone may write · `refused`, now, Redis's error.
 */
export const commitScript = script(`${now}
local function commit(world, journal, call)
  local kind, version, id, this, ttl, known, options, lease, summary, payload =
    string.match(call, '^(%S+) (%S+) (%S+) (%S+) (%S+) (%S+) (%S+) (%S+) ([^\\n]*)\\n(.*)$')
  local origin = ''
  if kind == 'whole' then payload, origin = string.match(payload, '^([^\\n]*)\\n?(.*)$') end
  version = tonumber(version)
  local head = redis.call('HMGET', world, 'v', 'i', 'wv', 'lo', 'wm', 'g', 'f', 'lb', 'lu')
  local v, i, wv, lo = tonumber(head[1] or 0), head[2] or '${nothing}', tonumber(head[3] or 0), tonumber(head[4] or 1)
  local wm, generation, bytes = tonumber(head[5] or 0), head[6] or '${nothing}', 0
  if v > 0 and head[7] ~= options then return {'other', now} end
  local by, lu = string.match(this, '^[^.]*'), tonumber(head[9] or 0)
  local isLeased, isWrite = lu > now and head[8] ~= by, kind == 'append' or kind == 'whole' or kind == 'delete'
  local function renew()
    if ttl == '${nothing}' or v == 0 then return end
    redis.call('PEXPIRE', world, ttl)
    redis.call('PEXPIRE', journal, ttl)
  end
  local function idAt(at)
    local entry = redis.call('HGET', world, tostring(at))
    return entry and string.match(entry, '^%S+')
  end
  if v > version and idAt(version + 1) == this then return {'ok', now, version + 1, 0} end
  if known ~= '${firstCall}' then
    if kind == 'delete' and v == 0 then return {'ok', now, 0, 0} end
    if v == 0 or generation ~= known or (v > version and i ~= id and not idAt(version + 1)) then return {'lost', now} end
  end
  if v ~= version or i ~= id then
    if v == 0 then return {'absent', now} end
    renew()
    if isWrite and not isLeased and lease ~= '${nothing}' then redis.call('HSET', world, 'lb', by, 'lu', now + lease) end
    local from, state = version, ''
    if version == 0 or version > v or version < wm or idAt(version) ~= id then
      from, state = wv, redis.call('HGET', world, 'w')
    end
    local other = version > v or (version > 0 and (idAt(version) or id) ~= id)
    local told = {'behind', now, v, i, generation, state, other and 1 or 0}
    for at = from + 1, v do told[#told + 1] = redis.call('HGET', world, tostring(at)) end
    return told
  end
  if isLeased and isWrite then return {'leased', now, lu - now} end
  if kind == 'delete' then
    redis.call('DEL', world, journal)
    return {'ok', now, 0, 0}
  end
  if kind == 'append' or kind == 'whole' then
    if v == 0 then
      generation = this
      redis.call('HSET', world, 'm', now)
    end
    v = v + 1
    if lu > 0 then redis.call('HDEL', world, 'lb', 'lu') end
    redis.call('HSET', world, 'f', options, 'g', generation, 'v', v, 'i', this, tostring(v), this .. ' ' .. (kind == 'append' and payload or ''))
    if kind == 'append' then bytes = redis.call('HINCRBY', world, 'b', #payload) end
    if summary ~= '' then redis.call('HSET', world, 's', summary) end
    if origin ~= '' then redis.call('HSET', world, 'o', origin) end
  end
  if kind == 'whole' or kind == 'compact' then
    redis.call('HSET', world, 'w', payload, 'wv', v, 'b', 0)
    wv = v
    if kind == 'whole' then wm = v end
    local keep, kept = math.max(lo, v - ${keptEntries - 1}), 0
    for at = lo, keep - 1 do redis.call('HDEL', world, tostring(at)) end
    for at = v, keep, -1 do
      kept = kept + redis.call('HSTRLEN', world, tostring(at))
      if kept > #payload then
        redis.call('HSET', world, tostring(at), idAt(at) .. ' ')
        wm = math.max(wm, at)
      end
    end
    redis.call('HSET', world, 'lo', keep, 'wm', wm)
  end
  renew()
  -- A user of Redis that may not publish can still write.
  if kind == 'append' and #payload < ${leastBytes} then redis.pcall('PUBLISH', world, id .. ' ' .. this .. ' ' .. payload) end
  local isLong = v - wv >= ${mostEntries} or (bytes > ${leastBytes} and bytes > redis.call('HSTRLEN', world, 'w'))
  return {'ok', now, v, isLong and 1 or 0}
end
local replies, key = {}, 1
for _, call in ipairs(ARGV) do
  local world, journal = KEYS[key], KEYS[key + 1]
  key = key + (string.match(journal or '', ':journal$') and 2 or 1)
  local isDone, reply = pcall(commit, world, journal, call)
  replies[#replies + 1] = isDone and reply or {'refused', now, type(reply) == 'table' and reply.err or tostring(reply)}
end
return replies
`);

/**
 * Number of the last entry of a journal, in Lua, and bytes of all batches so far. A batch is one entry of the stream; both are its id
 * there, of its last entry.
 */
const lastOf = `
local function parse(id)
  local number, bytes = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(number), tonumber(bytes)
end
local function lastOf(journal)
  local info = redis.pcall('XINFO', 'STREAM', journal)
  if info.err then return 0, 0 end
  for at = 1, #info, 2 do
    if info[at] == 'last-generated-id' then return parse(info[at + 1]) end
  end
end
`;

const mostBytes = 1024 * 1024;
/** Maximum bytes of batches that one reading gives, but for the last one. */
const portion = 64 * 1024;

/**
 * Appends batches of entries to journals, and removes the oldest ones. KEYS: journal and world of each batch. ARGV: how many entries a
 * journal keeps; then of each batch: generation of its world, number of entries, the entries. Nothing where that
 * world is gone.
 */
export const journalScript = script(`${lastOf}
for at = 1, #KEYS, 2 do
  local journal, argument = KEYS[at], 2 + (at - 1) / 2 * 3
  local batch = ARGV[argument + 2]
  if redis.call('HGET', KEYS[at + 1], 'g') == ARGV[argument] then
    local last, bytes = lastOf(journal)
    last, bytes = last + ARGV[argument + 1], bytes + #batch
    redis.call('XADD', journal, string.format('%d-%d', last, bytes), 'e', batch)
    redis.call('HSET', KEYS[at + 1], 'jt', last)
    while true do
      local oldest = redis.call('XRANGE', journal, '-', '+', 'COUNT', 1)[1][1]
      local number, upTo = parse(oldest)
      if number > last - ARGV[1] and bytes - upTo < ${mostBytes} then break end
      redis.call('XDEL', journal, oldest)
    end
    local ttl = redis.call('PTTL', KEYS[at + 1])
    if ttl > 0 then redis.call('PEXPIRE', journal, ttl) end
  end
end
return 1
`);

/**
 * Reads a journal on. KEYS: the journal, its world. ARGV: number of the last entry that is known, how many batches at most.
 * Gives whether the world is there, numbers of the last entry and of the last one that was cleared, then last number and entries of
 * each batch.
 */
export const readJournalScript = script(`${lastOf}
local cleared = tonumber(redis.call('HGET', KEYS[2], 'jc') or 0)
local last = lastOf(KEYS[1])
local after = tonumber(ARGV[1])
if after > last then after = 0 end
local told, bytes = {redis.call('EXISTS', KEYS[2]), last, cleared}, 0
if ARGV[2] == '0' then return told end
for _, batch in ipairs(redis.call('XRANGE', KEYS[1], (after + 1) .. '-0', '+', 'COUNT', ARGV[2])) do
  told[#told + 1] = parse(batch[1])
  told[#told + 1] = batch[2][2]
  bytes = bytes + #batch[2][2]
  if bytes > ${portion} then break end
end
return told
`);

/** Clears a journal; its numbers continue. KEYS: the journal, its world. */
export const clearJournalScript = script(`${lastOf}
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('HSET', KEYS[2], 'jc', (lastOf(KEYS[1])))
  redis.call('XTRIM', KEYS[1], 'MAXLEN', 0)
end
return 1
`);
