/** How the shell shows what an answer code asks for. The signed-in portal draws it; the sign-in page has a plain one. */
export interface Reactions {
  /** An error message for 2000 ms (R379). */
  error(message: string): void
  /** Shows the message, waits 2 s, signs out and goes to authorization (R362-R364). Only the first call counts. */
  endSession(message: string): void
  /** Goes to an address of the portal. */
  open(address: string): void
  /** The dialog of 10050027 (R366, R367). */
  aliasChange(record: { code: string | null; recordId: string | null; taskId: string | null }): void
  /** The dialog titled "cannot execute" (R369-R372). */
  cannotExecute(message: string): void
}

export const MAILBOX_MISSING = '/message/email/none'
