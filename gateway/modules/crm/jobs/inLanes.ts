/** Transactions at a time: the database works for one while the gateway prepares the other, and most connections stay for users. */
const LANES = 2

/** Batches of rows that are changed together. */
export function batchesOf<Row>(rows: readonly Row[], size: number): Row[][] {
  const batches: Row[][] = []
  for (let start = 0; start < rows.length; start += size) batches.push(rows.slice(start, start + size))
  return batches
}

/** Works on rows in batches, one after the other; `told` hears of the rows that were done. */
export async function inTurn<Row>(
  rows: readonly Row[],
  size: number,
  told: (rows: number) => void,
  work: (some: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (const some of batchesOf(rows, size)) {
    await work(some)
    told(some.length)
  }
}

/**
 * Works on batches that do not concern each other, each in a transaction of its own, begun in their order. Answers what the
 * work answered, in their order, too. After a failure no further batch is begun; those under way end first.
 */
export async function inLanes<Batch, Answer>(
  batches: readonly Batch[],
  work: (batch: Batch) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  const waiting = batches.entries()
  let failed = false
  const lane = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done && !failed; next = waiting.next()) {
      const [index, batch] = next.value
      try {
        answers[index] = await work(batch)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: LANES }, lane))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return answers
}
