/** An error that a client of the control plane is told. */
export class ControlError extends Error {
  override readonly name = 'ControlError';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}
