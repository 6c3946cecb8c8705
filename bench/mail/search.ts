import { p95, timed, type Figure } from './figures'
import { MESSAGES, type MailWorld } from './world'
import { searchesOf } from './letters'

const ROUNDS = 120

/** The calls of lists and searches, one client. */
export async function lists({ sales, accountId }: MailWorld): Promise<Figure[]> {
  const ask = (more: object): Promise<number> =>
    timed(async () => {
      const { code, msg } = await sales.post('/v2/emailbox/receive/query', {
        page: 1,
        size: 50,
        accountIds: [accountId],
        ...more,
      })
      if (code !== 0) throw new Error(msg)
    })
  const times = async (more: (turn: number) => object, most = 60): Promise<number[]> => {
    for (let turn = 0; turn < 10; turn += 1) await ask(more(turn))
    const all: number[] = []
    for (let turn = 0; turn < most; turn += 1) all.push(await ask(more(turn + 10)))
    return all
  }
  const kinds = ['rare word', 'common word', 'two characters', 'four characters', 'name', 'address', 'number', 'two words']
  const first = await times(() => ({}))
  const last = await times(() => ({ page: MESSAGES / 50 }), 10)
  const unread = await times(() => ({ seen: false }))
  const found: { kind: number; took: number }[] = []
  for (let turn = 0; turn < ROUNDS; turn += 1) found.push({ kind: turn % 8, took: await ask({ keyword: searchesOf(turn) }) })
  return [
    p95('list, first page', first),
    p95('list, last page', last),
    p95('list, unread', unread),
    p95(
      'search of all kinds',
      found.map(({ took }) => took),
      200,
    ),
    ...kinds.map((kind, index) =>
      p95(
        `  ${kind}`,
        found.filter((one) => one.kind === index).map(({ took }) => took),
      ),
    ),
  ]
}
