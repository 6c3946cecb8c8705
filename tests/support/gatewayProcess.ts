import type { EntityRecord } from '../../gateway/entities'
import { verifyModules } from '../../gateway/modules'
import { contextOf, ok, systemContext } from '../../gateway/platform/http'
import { startGateway } from './gateway'

/**
 * A gateway in a process of its own, for tests that kill it: `node --import tsx gatewayProcess.ts <folder> <port> <settings as JSON>`.
 * `POST /v2/test/write` writes one row and settles its key in one transaction; the header x-die kills the process
 * `before` or `after` the commit. With x-die a release and an action on an application are killed too: `before`, while a trigger of the
 * test lets it wait in its transaction for the lock HELD, which this process loses with its life; `after`, as soon as it is committed and
 * before it is answered. `POST /v2/test/insert` writes rows as the system, `GET /v2/test/drift` says how many kept values differ.
 */
/** Number of an advisory lock. */
const HELD = 7204
const [folder = '', port = '0', settings = '{}'] = process.argv.slice(2)
const RELEASE = '/v2/sys/schema/release'
const isDeadly = (url: string): boolean => url === RELEASE || url.startsWith('/v2/workflow/operate/')
const die = () => process.kill(process.pid, 'SIGKILL')

const { gateway, addStaff } = await startGateway({
  folder,
  port: Number(port),
  environment: JSON.parse(settings) as NodeJS.ProcessEnv,
  routes: async (app, { database, engine }) => {
    await database.query('create table if not exists test_write (name text)')
    const dieWhen = async (question: string): Promise<void> => {
      for (;;) if ((await database.query(question)).rowCount) die()
    }
    app.addHook('preHandler', async (request) => {
      const { rows } = await database.query<{ count: number }>('select count(*)::int as count from schema_release')
      if (!isDeadly(request.url)) return
      if (request.headers['x-die'] === 'before') {
        await new Promise<void>((held) => {
          void database.transaction(async (tx) => {
            await tx.query('select pg_advisory_xact_lock($1)', [HELD])
            held()
            await dieWhen(`select 1 from pg_locks where locktype = 'advisory' and objid = ${HELD} and not granted`)
          })
        })
      }
      if (request.headers['x-die'] === 'after' && request.url === RELEASE)
        void dieWhen(`select 1 from schema_release having count(*) > ${rows[0]?.count ?? 0}`)
    })
    app.addHook('onSend', async (request) => {
      if (isDeadly(request.url) && request.headers['x-die'] === 'after') die()
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
    app.post('/v2/test/insert', async (request) => {
      const { entity, rows } = request.body as { entity: string; rows: EntityRecord[] }
      await engine.transaction(systemContext(), (entities) => entities.insertMany(entity, rows))
      return ok(null)
    })
    app.get('/v2/test/drift', async () => {
      const drifts = [...(await engine.reconcile({ fix: false })), ...(await verifyModules(database, { fix: false }))]
      return ok(drifts.reduce((sum, { drifted }) => sum + drifted, 0))
    })
    app.get('/v2/test/written', async () =>
      ok((await database.query<{ name: string }>('select name from test_write order by name')).rows.map((row) => row.name)),
    )
  },
})
const { rowCount } = await gateway.database.query(`select 1 from sys_staff where id = 'wang'`)
if (rowCount === 0) {
  const keys = ['setModule:pages', 'setModule:pages:release', 'crm:customer:add', 'message:email:bind']
  await addStaff({ id: 'wang', jobNumber: 'S0042', keys, menus: ['crm:client-partner:my-client', 'message:email'] })
}
process.once('SIGTERM', () => void gateway.close().then(() => process.exit(0)))
process.stdout.write('ready\n')
