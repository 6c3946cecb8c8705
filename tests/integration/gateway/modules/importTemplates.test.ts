import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readSheet } from '../../../../gateway/entities/transfer/sheetReader'
import { DEMO_PASSWORD } from '../../../../gateway/world'
import type { EntityModel, FieldModel } from '../../../../src/schema/entity'
import { startGateway } from '../../../support/gateway'
import type { Caller, TestGateway } from '../../../support/gateway'
import { walksOf } from '../../../support/walkPart'

const { partOf } = walksOf(import.meta.filename)

const isWalked = partOf('import templates', 1 / 8)

let test: TestGateway
let lead: Caller
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  lead = await test.signIn('S0004', DEMO_PASSWORD)
})
afterAll(() => test.close())

describe('an import', () => {
  const upload = async (caller: Caller, path: string, rows: readonly (readonly string[])[], language = 'zh') => {
    const form = new FormData()
    form.append('file', new Blob([rows.map((row) => row.map((cell) => JSON.stringify(cell)).join(',')).join('\n')]), 'rows.csv')
    const seen = await caller.raw('POST', `${path}/import/preview`, {
      method: 'POST',
      body: form,
      headers: { 'accept-language': language },
    })
    interface Told {
      row: number
      column: string | null
      title?: string
      value: string | null
      message: string
    }
    return (await seen.json()) as { code: number; data: { importId: string; total: number; valid: number; errors: Told[] } }
  }

  it('tells what is wrong in the order of the rows and columns, with their names, whoever found it', async () => {
    const { data } = await upload(lead, '/v2/crm/customer', [
      ['Level', 'Company name', 'Customer type', 'Country', 'Source', 'Next follow-up', 'Website'],
      ['D', '潮汐试验甲有限公司', 'enterprise', 'CN', 'website', '', 'https://tide-a.example'],
      ['Z', '潮汐试验乙有限公司', 'enterprise', 'XX', 'website', 'never', ''],
      ['D', '潮汐试验甲有限公司', 'enterprise', 'CN', 'website', '', ''],
      ['A', '潮汐试验丙有限公司', 'enterprise', 'CN', 'website', '', ''],
      ['D', '', 'enterprise', 'CN', '', '', ''],
    ])
    expect(data.errors.map(({ row, column, title }) => [row, column, title])).toEqual([
      ...[
        [3, 'A', '客户等级'],
        [3, 'D', '国家/地区'],
        [3, 'F', '下次跟进'],
      ],
      [4, null, undefined],
      [5, 'A', '客户等级'],
      ...[
        [6, 'B', '客户名称'],
        [6, 'E', '来源'],
      ],
    ])
    expect(data.errors.every(({ message }) => !message.includes(data.importId))).toBe(true)
  })

  it.each(['zh', 'en'] as const)(
    'takes the example of its own template once it has a name, and skips it as it stands (%s)',
    async (language) => {
      const { rows: members } = await test.gateway.database.query<{ id: string; jobNumber: string }>(
        `select distinct on (r.code) s.id, s.job_number as "jobNumber" from sys_role r join sys_role_member m on m.role_id = r.id
       join sys_staff s on s.id = m.staff_id and s.status = 'active' where s.sign_in_disabled is not true and (m.until is null or m.until > now()) order by r.code, s.job_number`,
      )
      const holders = await Promise.all(
        members.map(async ({ id, jobNumber }) => ({
          jobNumber,
          keys: (await test.gateway.directory.rightsOf(id, test.clock.now()))?.permissions,
        })),
      )
      /** What fits the other examples of a row: they are about messages. */
      const FITS: Readonly<Record<string, object[]>> = {
        'fin.customerAccount': [{ field: 'product', operator: 'eq', value: 'sms' }],
      }
      /** Names that are no words, by entity. */
      const NAMED: Readonly<Record<string, string>> = {
        'biz.gatewayIp': '203.0.113.77',
        'ops.apiCall': '/v2/messages',
        'ops.cardQueue': '89860012345678900077',
        'ops.shortLinkWhite': 'oasis-hill.example',
      }
      const recordOf = async (
        caller: Caller,
        entity: string,
        field?: FieldModel,
      ): Promise<Record<string, unknown> | undefined> => {
        const { path } = test.gateway.engine.model(entity)
        const narrowed = (field?.field['x-refFilter'] ?? []).filter(({ value }) => !JSON.stringify(value ?? '').includes('{{'))
        const { data } = await caller.post<{ records?: Record<string, unknown>[] } | null>(`${path}/queryPage`, {
          pageSize: 1,
          where: [...narrowed, ...(narrowed.some((one) => one.field === 'product') ? [] : (FITS[entity] ?? []))],
        })
        return data?.records?.[0]
      }
      /** Some record that the importer may refer to. */
      const anyOf = async (caller: Caller, entity: string, field?: FieldModel): Promise<string> => {
        const record = await recordOf(caller, entity, field)
        const name = String(record?.[test.gateway.engine.model(entity).titleField] ?? '')
        // whoever knows only a part of the name says which one by its id
        return name.includes('**') ? String(record?.id) : name
      }
      const accountOf = async (caller: Caller) => {
        const { data } = await caller.post<{ records?: Record<string, unknown>[] } | null>('/v2/fin/customerAccount/queryPage', {
          pageSize: 1,
          where: FITS['fin.customerAccount'],
        })
        const [record] = data?.records ?? []
        return { customerId: String(record?.customerId ?? ''), currency: String(record?.currency ?? '') }
      }
      /** Somebody who may import records of an entity: of customers the lead, else the first role that holds the keys. */
      const importer = async ({ name, permissions, fields }: EntityModel): Promise<Caller> => {
        if (name.startsWith('crm.')) return lead
        const needed = [permissions.import, permissions.add].filter((key) => key !== undefined)
        const able = holders.filter(({ keys }) => keys && needed.every((key) => keys.has(key)))
        const named = [...fields.values()].filter((field) => field.kind === 'ref' && field.required && !field.internal)
        // whoever imports sees the records that a row has to name
        for (const { jobNumber } of able.slice(0, 12)) {
          const caller = await test.signIn(jobNumber, DEMO_PASSWORD)
          const seen = await Promise.all(named.map((field) => anyOf(caller, String(field.field['x-ref']), field)))
          if (seen.every((title) => title !== '')) return caller
        }
        throw new Error(`nobody imports ${name}`)
      }
      // each in one of the languages: what they have in common is read by the same code
      const all = test.gateway.engine
        .names()
        .map((name) => test.gateway.engine.model(name))
        .filter(({ document }) => document['x-permissions']?.import !== undefined)
        .filter((_, at) => (at % 2 === 0) === (language === 'zh'))
      expect(all.length).toBeGreaterThan(2)
      const walked = all.filter(({ name }) => isWalked(name))
      const importable = walked.length > 0 ? walked : all.slice(0, 1)
      const folder = await mkdtemp(join(tmpdir(), 'template-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      const refusals: string[] = []
      for (const model of importable) {
        const caller = await importer(model)
        const file = await caller.raw('GET', `${model.path}/import/template`, { headers: { 'accept-language': language } })
        const path = join(folder, model.name)
        await writeFile(path, Buffer.from(await file.arrayBuffer()))
        const sheet: string[][] = []
        await readSheet(
          {
            path,
            headers: [...model.fields.values()].map(({ label }) => label[language]),
            limits: { rows: 9, unpacked: 1e7, ratio: 999 },
          },
          (some) => {
            sheet.push(...some.map(({ cells }) => cells.map((cell) => String(cell ?? ''))))
            return Promise.resolve()
          },
        )
        const [header = [], filled = []] = sheet
        const example = header.map((_, at) => filled[at] ?? '')
        const inLines = model.lines.flatMap(({ rows }) => [...test.gateway.engine.model(rows.entity).fields.values()])
        const named = header.map((title) => {
          const [name = '', ofLines] = title.replace(/ \*$/, '').split(/：|: /).reverse()
          return (ofLines === undefined ? [...model.fields.values()] : inLines).find(({ label }) => label[language] === name)
        })
        const account = await accountOf(caller)
        const words = named.filter((field) => field?.kind === 'string' && !field.field['x-dictionary'] && !field.field.pattern)
        // where the title is made of others, the first word makes the row another one
        const title = named.find((field) => field?.name === model.titleField) ?? words[0]
        const mine = await Promise.all(
          named.map(async (field, at) => {
            // a rate belongs to an account, its customer and its currency
            if (model.name === 'qm.customerRate' && field?.name === 'customerId') return account.customerId
            if (model.name === 'qm.customerRate' && field?.name === 'currency') return account.currency
            // what a number costs is kept in the currency of the supplier's account
            if (model.name === 'biz.numberAsset' && field?.name === 'costCurrency')
              return String((await recordOf(caller, 'srm.supplierAccount', model.fields.get('supplierAccountId')))?.currency)
            // a try belongs to a message that is there
            if (model.name === 'biz.smsAttempt' && field?.name === 'msgId') return anyOf(caller, 'biz.smsRecord')
            if (field !== undefined && field === title && field.kind === 'string')
              return NAMED[model.name] ?? (language === 'zh' ? '绿洲丘陵' : 'Oasis Hill')
            if (field?.name === model.titleField && field.kind === 'currency') return example[at] === 'EUR' ? 'SEK' : 'EUR'
            // which record is meant nobody else can know
            return field?.kind === 'ref' && field.required ? anyOf(caller, String(field.field['x-ref']), field) : example[at]!
          }),
        )
        // a row without a word of its own differs by what may be left out
        if (mine.every((value, at) => value === example[at])) {
          const spare = named.findIndex((field, at) => field !== undefined && !field.required && mine[at] !== '')
          const place = named.findIndex((field) => field?.kind === 'country')
          if (spare >= 0) mine[spare] = ''
          else if (place >= 0) mine[place] = language === 'zh' ? '越南' : 'Vietnam'
        }
        // nor one that a rule wants: such a row is refused at that field until it is named
        const refused = await upload(caller, model.path, [header, mine], language)
        for (const [at, field] of named.entries()) {
          const wanted = refused.data.errors.some(({ title, value }) => title === field?.label[language] && value === '')
          if ((field?.kind === 'ref' || field?.kind === 'refs') && wanted)
            mine[at] = await anyOf(caller, String(field.field['x-ref']), field)
        }
        // as it stands it is skipped, also where a column was taken out or moved
        const skipped = await upload(caller, model.path, [header, example, mine], language)
        const turned = [header, example, mine].map((row) => header.map((_, at) => row[at] ?? '').reverse())
        const moved = await upload(caller, model.path, turned, language)
        for (const { data, code } of [skipped, moved])
          if (data.total !== 1 || data.valid !== 1) refusals.push(`${model.name}: ${code} ${JSON.stringify(data.errors)}`)
      }
      expect(refusals).toEqual([])
    },
  )
})
