import fs from 'node:fs';
import { crc32 } from 'node:zlib';

const lineFeed = 0x0a;
const roomToGrow = 64 * 1024 * 1024;

const checksumOf = (json: string | Buffer): string => `${crc32(json).toString(16).padStart(8, '0')} `;

/** An append-only file: each line is a checksum and JSON, and counts once it is complete. The next line overwrites an incomplete one. */
export class StateLog {
  private size = 0;
  private expected = roomToGrow;
  /** Length of the line that could not be written; 0 if the last one was written. */
  private failed = 0;
  private isSynced = true;
  private isClosed = false;

  private constructor(
    private readonly file: string,
    private readonly descriptor: number,
  ) {}

  /** Writes these lines to a new file that then replaces this one: a complete file always exists. */
  static create(file: string, lines: Iterable<string>): StateLog {
    const temporary = `${file}.tmp`;
    // Left by a killed process. A symbolic link is not followed.
    fs.rmSync(temporary, { force: true });
    const log = new StateLog(file, fs.openSync(temporary, 'wx+', 0o600));
    try {
      for (const line of lines) log.append(line);
      log.sync();
      fs.renameSync(temporary, file);
    } catch (error) {
      log.close();
      fs.rmSync(temporary, { force: true });
      throw error;
    }
    log.expectGrowth();
    return log;
  }

  /** Appends a line of JSON; if it throws, nothing was appended. */
  append(json: string): void {
    const line = Buffer.from(`${checksumOf(json)}${json}\n`);
    this.write(line);
    this.size += line.length;
    this.isSynced = false;
  }

  /** Throws while there is no room for the line that could not be written. */
  probe(): void {
    this.write(Buffer.alloc(this.failed, ' '));
  }

  private write(bytes: Buffer): void {
    this.failed = bytes.length;
    for (let at = 0; at < bytes.length; )
      at += fs.writeSync(this.descriptor, bytes, at, bytes.length - at, this.size + at);
    this.failed = 0;
  }

  /** The content of the lines, even if the file was moved. */
  read(): unknown[] {
    const bytes = Buffer.alloc(this.size);
    for (let at = 0; at < this.size; ) {
      const read = fs.readSync(this.descriptor, bytes, at, this.size - at, at);
      if (read === 0) throw new Error('it was cut off');
      at += read;
    }
    return linesIn(bytes);
  }

  /** Whether the file was removed. @throws if another file has its name */
  get isGone(): boolean {
    const there = fs.statSync(this.file, { throwIfNoEntry: false });
    if (there && there.size < this.size) throw new Error('the file was changed from outside');
    return there === undefined;
  }

  get isLong(): boolean {
    return this.size > this.expected;
  }

  expectGrowth(): void {
    this.expected = this.size + Math.max(roomToGrow, this.size);
  }

  sync(): void {
    if (!this.isSynced) fs.fsyncSync(this.descriptor);
    this.isSynced = true;
  }

  syncSoon(failed: () => void): void {
    if (this.isSynced) return;
    this.isSynced = true;
    fs.fdatasync(this.descriptor, (error) => error && !this.isClosed && failed());
  }

  close(): void {
    this.isClosed = true;
    fs.closeSync(this.descriptor);
  }
}

/** The content of a file's lines; none for another kind of file. Throws if a line was modified. */
export const readLog = (file: string): unknown[] => linesIn(fs.readFileSync(file));

function linesIn(bytes: Buffer): unknown[] {
  const lines: unknown[] = [];
  for (let from = 0, end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, from)) {
    const json = bytes.subarray(from + 9, end);
    if (bytes.toString('latin1', from, from + 9) !== checksumOf(json)) {
      if (lines.length === 0) return [];
      throw new Error(`line ${lines.length + 1} is not as it was written`);
    }
    lines.push(JSON.parse(json.toString()));
    from = end + 1;
  }
  return lines;
}
