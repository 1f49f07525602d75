import colors from 'picocolors';
import { outlet } from '../../contract-tests/commands/outlet.ts';

const barWidth = 24;
const tickMs = 1000;
const plainEveryMs = 10_000;
const minSteps = 3;

/** Shows steps and times: on a terminal as one line that is rewritten, elsewhere as a line every ten seconds. */
export class Progress {
  private readonly started = performance.now();
  private lastPlain = this.started;
  private readonly timer: NodeJS.Timeout;
  private done = 0;
  private running = '';
  readonly marks: string[] = [];

  /** @param plainLines without a terminal: whether to print a line now and then; off if the command prints marks itself */
  constructor(
    private readonly total: number,
    private readonly plainLines: boolean,
  ) {
    this.timer = setInterval(() => this.show(), tickMs).unref();
  }

  private get isLive(): boolean {
    return process.stderr.isTTY === true;
  }

  /** Prints a mark of what ended; after `stop`, where one line is rewritten meanwhile. */
  mark(mark: string, say: (text: string) => void): void {
    if (this.isLive) this.marks.push(mark);
    else say(mark);
  }

  /** A step begins; others may still run. */
  begin(name: string): void {
    this.running = name;
    this.show();
  }

  end(): void {
    this.done = Math.min(this.done + 1, this.total);
    this.show();
  }

  stop(): void {
    clearInterval(this.timer);
    if (this.isLive) outlet.print('stderr', clearLine);
  }

  private show(): void {
    const now = performance.now();
    if (this.isLive) {
      const bar = '█'.repeat(Math.round((barWidth * this.done) / this.total)).padEnd(barWidth, '░');
      const text = this.text(now).slice(0, Math.max((process.stderr.columns || 80) - barWidth - 3, 0));
      outlet.print('stderr', `${clearLine}${colors.cyan(bar)}  ${text}`);
    } else if (this.plainLines && now - this.lastPlain >= plainEveryMs) {
      this.lastPlain = now;
      outlet.print('stderr', `${this.text(now)}\n`);
    }
  }

  private text(now: number): string {
    const elapsed = now - this.started;
    const left =
      this.done < minSteps ? '' : `, about ${duration((elapsed / this.done) * (this.total - this.done))} left`;
    const what = this.running === '' ? '' : `  ${this.running}`;
    return `${this.done} of ${this.total}  ${duration(elapsed)}${left}${what}`;
  }
}

const clearLine = '\r\u001b[2K';

function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
