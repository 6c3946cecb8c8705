import { openDatabase } from '../../../gateway/platform/database'

/** Writes pairs of rows in transactions as fast as it can and prints the number of each acknowledged pair, until it is killed. */
const database = await openDatabase({ dataDir: process.argv[2] ?? '', logger: console })
await database.query('create table if not exists pair (n int, half text, unique (n, half))')
for (let n = Number(process.argv[3]); ; n += 1) {
  await database.transaction(async (tx) => {
    await tx.query(`insert into pair values ($1, 'left')`, [n])
    await tx.query(`insert into pair values ($1, 'right')`, [n])
  })
  process.stdout.write(`${n}\n`)
}
