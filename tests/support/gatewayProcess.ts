import { contextOf, ok } from '../../gateway/platform/http'
import { startGateway } from './gateway'

/**
 * A gateway in a process of its own, for tests that kill it: `node --import tsx gatewayProcess.ts <folder> <port>`.
 * `POST /v2/test/write` writes one row and settles its key in one transaction; the header x-die kills the process
 * `before` or `after` the commit. With x-die a release is killed too: `before`, while a trigger of the test lets it wait in its
 * transaction for the lock HELD, which this process loses with its life; `after`, as soon as it is committed and before it is answered.
 */
/** Number of an advisory lock. */
const HELD = 7204
const [folder = '', port = '0'] = process.argv.slice(2)
const die = () => process.kill(process.pid, 'SIGKILL')

const { gateway, addStaff } = await startGateway({
  folder,
  port: Number(port),
  routes: async (app, { database }) => {
    await database.query('create table if not exists test_write (name text)')
    const dieWhen = async (question: string): Promise<void> => {
      for (;;) if ((await database.query(question)).rowCount) die()
    }
    app.addHook('preHandler', async (request) => {
      const { rows } = await database.query<{ count: number }>('select count(*)::int as count from schema_release')
      if (request.url !== '/v2/sys/schema/release') return
      if (request.headers['x-die'] === 'before') {
        await new Promise<void>((held) => {
          void database.transaction(async (tx) => {
            await tx.query('select pg_advisory_xact_lock($1)', [HELD])
            held()
            await dieWhen(`select 1 from pg_locks where locktype = 'advisory' and objid = ${HELD} and not granted`)
          })
        })
      }
      if (request.headers['x-die'] === 'after')
        void dieWhen(`select 1 from schema_release having count(*) > ${rows[0]?.count ?? 0}`)
    })
    app.addHook('onSend', async (request) => {
      if (request.url === '/v2/sys/schema/release' && request.headers['x-die'] === 'after') die()
    })
    app.post('/v2/test/write', async (request) => {
      const { name } = request.body as { name: string }
      const context = contextOf(request)
      const answer = ok({ name, at: new Date().toISOString() })
      await database.transaction(async (tx) => {
        await tx.query('insert into test_write (name) values ($1)', [name])
        await context.idempotence?.settle(tx, answer)
        if (request.headers['x-die'] === 'before') die()
      })
      if (request.headers['x-die'] === 'after') die()
      return answer
    })
    app.post('/v2/test/sql', async (request) => {
      const { statement } = request.body as { statement: string }
      return ok((await database.query(statement)).rows)
    })
    app.get('/v2/test/written', async () =>
      ok((await database.query<{ name: string }>('select name from test_write order by name')).rows.map((row) => row.name)),
    )
  },
})
const { rowCount } = await gateway.database.query(`select 1 from sys_staff where id = 'wang'`)
if (rowCount === 0) {
  const keys = ['setModule:pages', 'setModule:pages:release', 'crm:customer:add']
  await addStaff({ id: 'wang', jobNumber: 'S0042', keys, menus: ['crm:client-partner:my-client'] })
}
process.once('SIGTERM', () => void gateway.close().then(() => process.exit(0)))
process.stdout.write('ready\n')
