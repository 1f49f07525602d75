import colors from 'picocolors';

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const barWidth = 24;
const tickMs = 1000;
const plainEveryMs = 10_000;
const minSteps = 3;

/** Shows steps and times: on a terminal as one line that is rewritten, elsewhere as a line every ten seconds. */
export class Progress {
  private readonly started: number;
  private lastPlain: number;
  private readonly timer: NodeJS.Timeout;
  private done = 0;
  private running = '';

  /** @param plainLines without a terminal: whether to print a line now and then; off if the command prints marks itself */
  constructor(
    private readonly total: number,
    private readonly plainLines: boolean,
    private readonly stream: ProgressStream = process.stderr,
    private readonly now = () => performance.now(),
  ) {
    this.started = now();
    this.lastPlain = this.started;
    this.timer = setInterval(() => this.show(), tickMs).unref();
  }

  /** Whether one line is rewritten, so that nothing else may be printed. */
  get isLive(): boolean {
    return this.stream.isTTY === true;
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
    if (this.isLive) this.stream.write(clearLine);
  }

  private show(): void {
    const now = this.now();
    if (this.isLive) {
      const bar = '█'.repeat(Math.round((barWidth * this.done) / this.total)).padEnd(barWidth, '░');
      const text = this.text(now).slice(0, Math.max((this.stream.columns || 80) - barWidth - 3, 0));
      this.stream.write(`${clearLine}${colors.cyan(bar)}  ${text}`);
    } else if (this.plainLines && now - this.lastPlain >= plainEveryMs) {
      this.lastPlain = now;
      this.stream.write(`${this.text(now)}\n`);
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
