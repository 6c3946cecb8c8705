import type { ImapFlow } from 'imapflow'
import { SlowServerError } from './faults'

/** Bytes that a server brings within the patience that one has with it, or it is as good as silent. */
const LEAST = 256

/**
 * Waits for what a server does, as long as it goes on.
 * @throws SlowServerError, with the connection closed, when it brings next to nothing for `patience` milliseconds
 */
export async function whileItAnswers<Result>(client: ImapFlow, patience: number, work: () => Promise<Result>): Promise<Result> {
  let before = client.stats().received
  let timer: NodeJS.Timeout | undefined
  const stalled = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      const { received } = client.stats()
      if (received - before < LEAST) {
        reject(new SlowServerError())
        client.close()
      }
      before = received
    }, patience)
  })
  let cause: unknown
  const heard = (error: unknown) => void (cause ??= error)
  client.on('error', heard)
  try {
    return await Promise.race([work(), stalled])
  } catch (error) {
    // what broke the connection says more than that it is broken, and may be told a moment later
    await new Promise((wake) => setImmediate(wake))
    throw error instanceof SlowServerError ? error : (cause ?? error)
  } finally {
    client.off('error', heard)
    clearInterval(timer)
  }
}

/** Takes leave of a server, which may have stopped listening. */
export const leave = (client: ImapFlow): Promise<void> =>
  whileItAnswers(client, 2_000, () => client.logout()).catch(() => client.close())
