import { resolve } from 'node:path'
import { createEntityEngine, type EntityEngine } from '../gateway/entities'
import { moduleSteps, registerModuleServices } from '../gateway/modules'
import { openSchemaRegistry } from '../gateway/pages'
import { readConfiguration } from '../gateway/platform/configuration'
import { migrate, openDatabase, type Database } from '../gateway/platform/database'
import { systemContext, type RequestContext } from '../gateway/platform/http'

const root = resolve(import.meta.dirname, '../schemas')
const logger = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error }

/** The released entities on an embedded PostgreSQL in `dataDir`, with the services and the guards of all modules. */
export async function openBench(dataDir: string, poolSize = 4): Promise<{ database: Database; engine: EntityEngine }> {
  const registry = await openSchemaRegistry(root)
  const database = await openDatabase({ dataDir, logger, poolSize })
  const engine = createEntityEngine({
    database,
    entities: registry.woven,
    dictionary: (name) => registry.dictionary(name),
  })
  registerModuleServices({ engine, configuration: readConfiguration({}), onError: console.error })
  await migrate(database, engine.tables({ trigram: true }), moduleSteps(), { extensions: ['pg_trgm'] })
  return { database, engine }
}

export const DEPARTMENTS = 40
export const STAFF = 400

/** Who owns customers in bulk. */
export interface BenchOwner {
  id: string
  deptId: string
}

const BENCH_OWNERS: readonly BenchOwner[] = Array.from({ length: STAFF }, (_, at) => ({
  id: `s${at + 1}`,
  deptId: `d${1 + ((at + 1) % DEPARTMENTS)}`,
}))

/** A world of its own: 400 staff in 40 departments, and their customers. */
export async function fillCustomers(database: Database, count: number): Promise<void> {
  const { rows } = await database.query<{ total: number }>('select count(*) as total from crm_customer')
  if (Number(rows[0]!.total) === count) return
  await database.query('truncate crm_customer, sys_staff, sys_department')
  await database.query(`insert into sys_department (id, created_at, updated_at, version, code, name, kind, path, enabled)
    select 'd' || d, now(), now(), 1, 'D' || d, '部门 ' || d, 'sales', case when d = 1 then '/d1/' else '/d1/d' || d || '/' end, true from generate_series(1, ${DEPARTMENTS}) d`)
  await database.query(`insert into sys_staff (id, created_at, updated_at, version, job_number, name, status, main_dept_id)
    select 's' || s, now(), now(), 1, 'S' || lpad(s::text, 4, '0'), '员工 ' || s, 'active', 'd' || (1 + s % ${DEPARTMENTS}) from generate_series(1, ${STAFF}) s`)
  await insertCustomers(database, count, BENCH_OWNERS)
}

/**
 * Customers in bulk, the same for the same number: the owners have equal shares, a tenth lies in the sea; levels, countries and
 * industries are as uneven as in life (60 % level d, 25 % CN).
 */
export async function insertCustomers(database: Database, count: number, owners: readonly BenchOwner[]): Promise<void> {
  console.log(`filling ${count.toLocaleString('en')} customers ...`)
  const step = 100_000
  for (let from = 1; from <= count; from += step) {
    await database.query(
      `
      insert into crm_customer (id, created_at, created_by, updated_at, updated_by, version, code, name, name_en, party_type, trade_type, platform,
        customer_type, industry, country_code, source, level, stage, holding, owner_id, owner_dept_id, owned_at, last_follow_at, next_follow_at,
        products, tags, revenue30, settle_currency, risk_level, name_key, sea_entered_at)
      select 'c' || lpad(n::text, 9, '0'), timestamptz '2024-01-01' + (n * 47 % 63072000) * interval '1 second', owner, now(), owner, 1,
        'CU' || lpad(n::text, 9, '0'), (array['深圳市','上海','北京','杭州','广州','香港','成都','厦门'])[1 + n % 8] || chr(19968 + h % 6000) || chr(19968 + g % 6000) || (array['科技','信息','通信','网络','国际'])[1 + n % 5] || '有限公司', 'Customer ' || n, 'customer', 'direct', 'main',
        (array['enterprise','aggregator','operator','individual'])[1 + n % 4], (array['fintech','ecommerce','retail','gaming','logistics'])[1 + (n / 7) % 5],
        case when h % 100 < 25 then 'CN' else (array['US','DE','FR','BR','IN','ID','VN','TH','MY','SG','JP','KR','GB','ES','IT','MX','NG','ZA','AE','SA','TR','RU','PH','PK','BD','EG','KE','CO','CL','PE'])[1 + h % 30] end,
        (array['website','referral','exhibition','cold'])[1 + (n / 3) % 4],
        case when g % 100 < 60 then 'd' when g % 100 < 88 then 'c' when g % 100 < 98 then 'b' else 'a' end,
        (array['potential','following','testing','quoted','dealt'])[1 + (n / 11) % 5],
        case when n % 10 = 0 then 'sea' else 'private' end, case when n % 10 = 0 then null else owner end,
        case when n % 10 = 0 then null else dept end, now() - (n % 300) * interval '1 day', now() - (n % 90) * interval '1 day',
        case when n % 3 = 0 then null else now() + (n % 60) * interval '1 day' end,
        case n % 3 when 0 then '["sms"]'::jsonb when 1 then '["voice","number"]'::jsonb end, null, (n % 5000)::numeric / 100, 'USD', 'low', md5(n::text),
        case when n % 10 = 0 then now() - (h % 1000000) * interval '15 seconds' end
      from (select n, ($3::text[])[1 + n % $5] as owner, ($4::text[])[1 + n % $5] as dept, abs(hashint4(n)) as h, abs(hashint4(n + 7919)) as g
        from generate_series($1::integer, $2::integer) n) as numbered`,
      [from, Math.min(from + step - 1, count), owners.map(({ id }) => id), owners.map(({ deptId }) => deptId), owners.length],
    )
    console.log(`  ${Math.min(from + step - 1, count).toLocaleString('en')}`)
  }
  await database.query('vacuum analyze crm_customer')
  await database.query('analyze')
}

const BUSIEST_NUMBER = 17
/** The customer with 5,000 follow-ups. */
export const BUSIEST_CUSTOMER = `c${String(BUSIEST_NUMBER).padStart(9, '0')}`
const BUSIEST = 5_000

/** Follow-ups of the world of `fillCustomers` and nothing else. */
export async function fillFollowUps(database: Database, count: number, customers: number): Promise<void> {
  const { rows } = await database.query<{ total: number }>('select count(*) as total from crm_follow_up')
  if (Number(rows[0]!.total) === count) return
  await database.query('truncate crm_follow_up')
  await insertFollowUps(database, count, customers, BENCH_OWNERS)
}

/**
 * Follow-ups in bulk over three years, written by the owners to whom `insertCustomers` gave the customers: `count` in all, 5,000 of
 * them on one customer. Indexes are built after the rows.
 */
export async function insertFollowUps(
  database: Database,
  count: number,
  customers: number,
  owners: readonly BenchOwner[],
): Promise<void> {
  console.log(`filling ${count.toLocaleString('en')} follow-ups ...`)
  const indexes = await database.query<{ name: string; definition: string }>(
    `select indexname as "name", indexdef as "definition" from pg_indexes where tablename = 'crm_follow_up' and indexname <> 'crm_follow_up_pkey'`,
  )
  for (const { name } of indexes.rows) await database.query(`drop index "${name}"`)
  const step = 500_000
  for (let from = 1; from <= count; from += step) {
    await database.query(
      `
      insert into crm_follow_up (id, created_at, created_by, updated_at, updated_by, version, customer_id, way, content, result, effective, auto)
      select 'f' || lpad(n::text, 10, '0'), at, owner, at, owner, 1, 'c' || lpad(customer::text, 9, '0'), (array['phone','email','im','visit'])[1 + n % 4],
        (array['谈了价格','客户要求测试','确认了需求','讨论了账期','没有接通'])[1 + n % 5] || ' ' || md5(n::text) || ' about traffic to ' || (array['US','DE','BR','IN','ID'])[1 + (n / 5) % 5],
        (array['interested','needQuote','thinking','notNow','noAnswer'])[1 + n % 5], n % 5 <> 4, false
      from (select n, now() - (abs(hashint4(n)) % 94608000) * interval '1 second' as at, customer, ($3::text[])[1 + customer % $4] as owner
        from generate_series($1::integer, $2::integer) n, lateral (select case when n <= ${BUSIEST} then ${BUSIEST_NUMBER} else 1 + n % $5 end as customer) as whose) as numbered`,
      [from, Math.min(from + step - 1, count), owners.map(({ id }) => id), owners.length, customers],
    )
    console.log(`  ${Math.min(from + step - 1, count).toLocaleString('en')}`)
  }
  for (const { name, definition } of indexes.rows) {
    console.log(`  index ${name}`)
    await database.query(definition)
  }
  await database.query('vacuum analyze crm_follow_up')
}

/** A caller: everything, or a salesman who sees his own, or the leader of a department. */
export function caller(kind: 'admin' | 'sales' | 'leader', number = 7): RequestContext {
  const dept = `d${1 + (number % DEPARTMENTS)}`
  const user = {
    userId: `s${number}`,
    staffId: `s${number}`,
    name: 'bench',
    nameEn: null,
    jobNumber: `S${number}`,
    deptIds: [dept],
    mainDeptId: dept,
    ledDeptIds: [],
    scopeDeptIds: [dept],
    scopeTreeIds: [dept],
    roleCodes: [],
  }
  const permissions = new Set([
    'crm:customer:edit',
    'crm:customer:export',
    'crm:customer:viewSensitive',
    'crm:customer:viewProfit',
    'crm:client-partner:open-sea',
    'biz:record:view',
    'biz:content:view',
    'rpt:fact:view',
    'rpt:revenue:view',
    'rpt:cost:view',
  ])
  const scope = ({ admin: 'all', sales: 'own', leader: 'departmentTree' } as const)[kind]
  return { ...systemContext({ locale: 'en' }), kind: 'staff', user, permissions, scopes: { 'crm.customer': [scope] } }
}

/**
 * Monthly figures of everybody who deals (a fifth of the customers): thirteen months, a tenth of them falling, a twentieth late
 * with a bill.
 */
export async function fillFigures(database: Database, customers: number): Promise<void> {
  const { rows } = await database.query<{ there: boolean }>('select exists (select from fin_customer_month) as there')
  if (rows[0]?.there) return
  console.log('filling monthly figures ...')
  const step = 100_000
  for (let from = 1; from <= customers; from += step)
    await database.query(
      `with dealt as (select id, row_number() over (order by id) as n from crm_customer where stage = 'dealt' and id between $1 and $2)
       insert into fin_customer_month (id, created_at, updated_at, version, customer_id, month, product, revenue, profit, overdue_days, messages)
       select d.id || '-' || back, now(), now(), 1, d.id, (date_trunc('month', now()) - make_interval(months => back))::date, 'sms',
         round((300 + abs(hashtext(d.id)) % 40000) * case when d.n % 10 = 0 and back < 2 then 0.2 else 1 end, 2),
         round((300 + abs(hashtext(d.id)) % 40000) * 0.11 * case when d.n % 10 = 0 and back < 2 then 0.2 else 1 end, 2),
         case when d.n % 20 = 0 and back = 1 then 12 else 0 end, 100000
       from dealt d, generate_series(0, 12) back`,
      [`c${String(from).padStart(9, '0')}`, `c${String(from + step - 1).padStart(9, '0')}`],
    )
  await database.query(
    `update crm_customer set first_deal_at = owned_at, last_traffic_at = now() - interval '1 day' where stage = 'dealt' and first_deal_at is null`,
  )
  await database.query('vacuum analyze crm_customer')
  await database.query('analyze fin_customer_month')
}
