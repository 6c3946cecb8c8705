import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProcessDocument } from '../../../../src/schema/generated/process'
import { systemContext } from '../../../../gateway/platform/http'
import { read, startGateway, type Caller, type TestGateway } from '../../../support/gateway'
import { sheetsOf, workbook, type CellValue } from '../../../support/workbook'
import { trip } from './support'

const BASE = '/v2/workflow'
let test: TestGateway
let designer: Caller
let roles: Caller
let staff: Caller
let boss: Caller
beforeAll(async () => {
  test = await startGateway()
  await test.addStaff({ id: 'designer', jobNumber: 'W0001', name: '设计', keys: ['wf:design', 'wf:admin'] })
  await test.addStaff({ id: 'roles', jobNumber: 'W0002', name: '角色', keys: ['wf:role'] })
  await test.addStaff({ id: 'staff', jobNumber: 'W0003', name: '员工' })
  await test.addStaff({ id: 'boss', jobNumber: 'W0004', name: '主管' })
  designer = await test.signIn('W0001')
  roles = await test.signIn('W0002')
  staff = await test.signIn('W0003')
  boss = await test.signIn('W0004')
})
afterAll(() => test.close())

const en = { 'accept-language': 'en' }
const query = async <T extends object>(statement: string, values: unknown[] = []) =>
  (await test.gateway.database.query<T>(statement, values)).rows

/** Saves a process as the designer does. */
async function save(document: ProcessDocument, more: object = {}): Promise<{ id: string; versionNo: number }> {
  const { code, data, msg } = await designer.post<{ id: string; versionNo: number }>(`${BASE}/process/save`, {
    document,
    ...more,
  })
  expect([code, msg]).toEqual([0, expect.anything()])
  return data
}

describe('process/save, update, historyVersion', () => {
  it('keeps versions, tells what each changed in words, and makes none of what says the same', async () => {
    const first = await save(trip('tripVersions'), { note: 'first' })
    expect(first.versionNo).toBe(1)
    expect(await save(trip('tripVersions'), { id: first.id })).toMatchObject({ versionNo: 1, changed: false })
    const changed = trip('tripVersions')
    changed.nodes[2] = { ...changed.nodes[2]!, limitHours: 4 }
    expect((await save(changed, { id: first.id, basedOn: 1, note: 'faster' })).versionNo).toBe(2)

    const { data: versions } = await designer.get<
      { id: string; no: number; current: boolean; note: string; changes: { text: { en: string } }[] }[]
    >(`${BASE}/process/historyVersion/${first.id}`)
    expect(versions.map(({ no, current, note }) => [no, current, note])).toEqual([
      [2, true, 'faster'],
      [1, false, 'first'],
    ])
    expect(versions[0]!.changes.map(({ text }) => text.en)).toEqual(['Step "Office" (clerk): time limit (hours): default → 4'])

    const { data: view } = await designer.get<{ no: number; document: ProcessDocument; against: { no: number } | null }>(
      `${BASE}/process/historyVersion/view/${versions[1]!.id}?against=${versions[0]!.id}`,
    )
    expect([view.no, view.against?.no, view.document.nodes[2]!.limitHours]).toEqual([1, 2, undefined])

    const { data: detail } = await designer.get<{ document: ProcessDocument; versionNo: number; formId: string }>(
      `${BASE}/process/update/${first.id}`,
    )
    expect([detail.versionNo, Object.keys(detail.document.form.fields)]).toEqual([2, Object.keys(trip().form.fields)])
  })

  it('takes the words of a process beside each other as well (money 7.6)', async () => {
    const { name, form: _form, ...words } = trip('tripWords')
    const { data: kept } = await designer.post<{ id: string }>(`${BASE}/form/save`, {
      code: 'tripWordsForm',
      name: { zh: '出差', en: 'Trip' },
      definition: trip().form,
    })
    const { code, data } = await designer.post<{ versionNo: number }>(`${BASE}/process/save`, {
      code: name,
      ...words,
      formId: kept.id,
      note: 'n',
    })
    expect([code, data.versionNo]).toEqual([0, 1])
    expect(await query('select form_id as "formId" from wf_process where code = $1', ['tripWords'])).toEqual([
      { formId: kept.id },
    ])
  })

  it('refuses what is wrong with every error and its pointer, and saves nothing', async () => {
    const wrong = trip('tripWrong')
    wrong.nodes[2] = { ...wrong.nodes[2]!, fieldRights: { nothing: 'E' } }
    const { code, msg, data } = await designer.post<{ errors: { pointer: string; rule: string; text: string }[] }>(
      `${BASE}/process/save`,
      { document: wrong },
      en,
    )
    expect(code).toBe(10010005)
    expect(msg).toContain('The process has 1 error')
    expect(data.errors).toMatchObject([{ pointer: '/nodes/2/fieldRights/nothing', rule: 'unknown-field' }])
    expect(await query(`select 1 from wf_process where code = 'tripWrong'`)).toEqual([])
    const { data: checked } = await designer.post<{ problems: { pointer: string }[] }>(`${BASE}/process/check`, {
      document: wrong,
    })
    expect(checked.problems.map(({ pointer }) => pointer)).toEqual(['/nodes/2/fieldRights/nothing'])
  })

  it('tells who published in between and keeps his version', async () => {
    const { id } = await save(trip('tripConflict'))
    await save(trip('tripConflict', { dedupe: 'all' }), { id, basedOn: 1 })
    const late = await designer.post(
      `${BASE}/process/save`,
      { document: trip('tripConflict', { dedupe: 'adjacent' }), id, basedOn: 1 },
      en,
    )
    expect([late.code, late.msg]).toEqual([10010006, 'Version 2 was published by 设计 in between. Compare both and save again.'])
    expect(await query('select 1 from wf_process_version where process_id = $1', [id])).toHaveLength(2)
  })

  it('is for designers alone', async () => {
    const { id } = await save(trip('tripGuarded'))
    for (const call of [
      staff.post(`${BASE}/process/save`, { document: trip('tripGuarded') }),
      staff.post(`${BASE}/process/stateUpdate`, { id, state: 'disabled' }),
      staff.post(`${BASE}/process/check`, { document: trip() }),
      staff.get(`${BASE}/process/update/${id}`),
      staff.get(`${BASE}/process/historyVersion/${id}`),
      staff.get(`${BASE}/process/formAuditField/x`),
      staff.post(`${BASE}/process/delete/${id}`),
    ])
      expect((await call).code).toBe(10010003)
    expect((await test.anybody.get(`${BASE}/process/update/${id}`)).status).toBe(401)
  })
})

describe('process/queryPage, stateUpdate, delete', () => {
  it('lists processes for designers, and for whom they name as administrator', async () => {
    const { id } = await save(trip('tripListed', { label: { zh: '列表出差', en: 'Listed trip' } }), { adminIds: ['boss'] })
    const page = async (caller: Caller) =>
      (
        await caller.post<{ total: number; list: { id: string; name: { en: string }; versionNo: number; running: unknown[] }[] }>(
          `${BASE}/process/queryPage`,
          { keyword: 'tripListed' },
        )
      ).data
    expect(await page(designer)).toMatchObject({
      total: 1,
      list: [{ id, name: { en: 'Listed trip' }, versionNo: 1, running: [] }],
    })
    expect((await page(boss)).total).toBe(1)
    expect((await page(staff)).total).toBe(0)
    expect((await boss.get(`${BASE}/process/update/${id}`)).code).toBe(0)
  })

  it('disables a process: it is started no more and offered to nobody', async () => {
    const { id } = await save(trip('tripState'))
    expect((await designer.post(`${BASE}/process/stateUpdate`, { id, state: 'disabled' })).code).toBe(0)
    expect((await designer.post(`${BASE}/process/stateUpdate`, { id, state: 'disabled' })).code).toBe(0)
    const { code, msg } = await staff.get(`${BASE}/process/formField/tripState`, en)
    expect([code, msg]).toEqual([
      10010007,
      'The process "Business trip" is disabled and cannot be started. Ask its administrator.',
    ])
    const { data } = await staff.get<{ extra: { code: string } }[]>(`${BASE}/select/process`)
    expect(data.map(({ extra }) => extra.code)).not.toContain('tripState')
  })

  it('deletes what an administrator made and nobody used, with its versions', async () => {
    const { id } = await save(trip('tripGone'))
    expect((await designer.post(`${BASE}/process/delete/${id}`)).code).toBe(0)
    expect((await designer.post(`${BASE}/process/delete/${id}`)).code).toBe(0)
    expect((await designer.get(`${BASE}/process/update/${id}`)).code).toBe(10010004)
  })
})

describe('process/formField, formAuditField', () => {
  it('answers what a new application asks, with the rights of the start and who is picked', async () => {
    const { id } = await save(trip('tripForm'))
    const ask = async (caller: Caller, which: string) =>
      (
        await caller.get<{
          process: { id: string; code: string; prefix: string }
          fields: { key: string; type: string; required: boolean }[]
          bundle: {
            page: { kind: string; entity: string }
            entities: Record<string, unknown>
            dictionaries: Record<string, unknown>
          }
          rights: Record<string, string>
          pick: { nodeId: string; among: { id: string; name: string }[] }[]
        }>(`${BASE}/process/formField/${which}`)
      ).data
    const byCode = await ask(staff, 'tripForm')
    expect(byCode.process).toMatchObject({ id, code: 'tripForm', prefix: 'BT' })
    expect(byCode.fields.slice(0, 2)).toMatchObject([
      { key: 'destination', type: 'string', required: true },
      { key: 'leaveOn', type: 'date', required: false },
    ])
    expect(byCode.bundle.page).toMatchObject({ kind: 'form', entity: 'form.tripForm' })
    expect(byCode.bundle.entities).toHaveProperty(['form.tripForm'])
    expect(byCode.bundle.dictionaries).toHaveProperty('urgency')
    expect(byCode.pick).toMatchObject([{ nodeId: 'clerk', among: [{ id: 'boss', name: '主管' }] }])
    expect((await ask(staff, id)).process.code).toBe('tripForm')
    expect(byCode.rights).toMatchObject({ destination: 'E', secret: 'H' })
    expect(byCode.fields.map(({ key }) => key)).not.toContain('secret')
    expect((await ask(roles, id)).rights['secret']).toBe('E')
  })

  it('refuses who may not start it', async () => {
    await save(trip('tripScoped', { startScope: [{ staff: 'boss' }] }))
    expect((await staff.get(`${BASE}/process/formField/tripScoped`)).code).toBe(10010003)
    expect((await boss.get(`${BASE}/process/formField/tripScoped`)).code).toBe(0)
    expect((await staff.get(`${BASE}/process/formField/nothing`)).code).toBe(10010004)
  })

  it('answers the right of every step on every field', async () => {
    const { id } = await save(trip('tripMatrix'))
    const [row] = await query<{ formId: string }>('select form_id as "formId" from wf_process where id = $1', [id])
    const { data } = await designer.get<{
      fields: { key: string }[]
      processes: { code: string; nodes: { id: string; rights: Record<string, string> }[] }[]
    }>(`${BASE}/process/formAuditField/${row!.formId}`)
    const [process] = data.processes
    expect(process!.nodes.map(({ id: node, rights }) => [node, rights['cost'], rights['destination']])).toEqual([
      ['start', 'E', 'E'],
      ['manager', 'E', 'R'],
      ['clerk', 'R', 'R'],
    ])
  })
})

describe('form/*', () => {
  it('adds, changes, moves and deletes fields; a key is never changed', async () => {
    const { data: form } = await designer.post<{ id: string; versionNo: number }>(`${BASE}/form/save`, {
      code: 'fieldsForm',
      name: { zh: '字段', en: 'Fields' },
      definition: { fields: { first: { type: 'string', maxLength: 20, 'x-label': { zh: '一', en: 'One' } } } },
    })
    const field = (body: object) => designer.post(`${BASE}/form/field/save`, { formId: form.id, ...body }, en)
    expect(
      (await field({ key: 'second', zh: '二', en: 'Two', type: 'dict', dict: 'urgency', required: true, sort: 0 })).code,
    ).toBe(0)
    expect((await field({ key: 'lines', zh: '明细', en: 'Lines', type: 'rows' })).code).not.toBe(0)
    const wrong = await field({ key: 'third', zh: '三', en: 'Three', type: 'dict', dict: 'nothing' })
    expect([wrong.code, wrong.msg]).toEqual([10010005, expect.stringContaining('"nothing"')])
    const listed = async () =>
      (
        await designer.post<{ list: { id: string; key: string; type: string; required: boolean; dict: string | null }[] }>(
          `${BASE}/form/field/queryPage`,
          { formId: form.id },
        )
      ).data.list
    expect((await listed()).map(({ key, type, required, dict }) => [key, type, required, dict])).toEqual([
      ['second', 'dict', true, 'urgency'],
      ['first', 'string', false, null],
    ])
    const renamed = await field({ id: `${form.id}.first`, key: 'other', zh: '一', en: 'One', type: 'string' })
    expect([renamed.code, renamed.msg]).toEqual([10010005, 'The key of a field cannot be changed: add another field instead.'])
    expect((await designer.get(`${BASE}/form/field/delete/${form.id}.first`)).code).toBe(0)
    expect((await designer.get(`${BASE}/form/field/delete/${form.id}.first`)).code).toBe(0)
    expect((await listed()).map(({ key }) => key)).toEqual(['second'])
    expect((await staff.get(`${BASE}/form/field/delete/${form.id}.second`)).code).toBe(10010003)
    const { data } = await designer.post<{ list: { versionNo: number }[] }>(`${BASE}/form/queryPage`, { keyword: 'fieldsForm' })
    expect(data.list).toMatchObject([{ versionNo: 3 }])
  })

  it('gives every process that uses a form a version with it, or refuses with its name', async () => {
    const { id } = await save(trip('tripShared'))
    const [row] = await query<{ formId: string }>('select form_id as "formId" from wf_process where id = $1', [id])
    const field = { formId: row!.formId, key: 'hotel', zh: '酒店', en: 'Hotel', type: 'string' }
    const { code, data } = await designer.post<{ processes: { code: string; versionNo: number }[] }>(
      `${BASE}/form/field/save`,
      field,
    )
    expect([code, data.processes]).toMatchObject([0, [{ code: 'tripShared', versionNo: 2 }]])
    const needed = await designer.get(`${BASE}/form/field/delete/${row!.formId}.cost`, en)
    expect([needed.code, needed.msg]).toEqual([10010005, expect.stringContaining('The process "Business trip" has')])
    const used = await designer.get(`${BASE}/form/delete/${row!.formId}`, en)
    expect([used.code, used.msg]).toEqual([10010007, 'Processes use this form: Business trip. Give them another form first.'])
  })

  it('deletes a form that nobody uses, again without a difference', async () => {
    const { data } = await designer.post<{ id: string }>(`${BASE}/form/save`, {
      code: 'goneForm',
      name: { zh: '删', en: 'Gone' },
      definition: trip().form,
    })
    expect((await staff.get(`${BASE}/form/delete/${data.id}`)).code).toBe(10010003)
    expect((await designer.get(`${BASE}/form/delete/${data.id}`)).code).toBe(0)
    expect((await designer.get(`${BASE}/form/delete/${data.id}`)).code).toBe(0)
    expect(await query('select 1 from wf_form where id = $1 and deleted_at is null', [data.id])).toEqual([])
  })
})

it('keeps a shipped process of its module when an administrator changes its form: it still writes the records of that module', async () => {
  const [form] = await query<{ id: string }>("select id from wf_form where code = 'generic'")
  const { data } = await designer.get<{ name: object; definition: { fields: object } }>(`${BASE}/form/update/${form!.id}`)
  const fields = { ...data.definition.fields, place: { type: 'string', 'x-label': { zh: '地点', en: 'Place' } } }
  const saved = await designer.post<{ processes: { code: string }[] }>(`${BASE}/form/save`, {
    id: form!.id,
    name: data.name,
    definition: { ...data.definition, fields },
  })
  expect([saved.code, saved.data.processes.map(({ code }) => code)]).toEqual([0, ['generic']])
})

describe('form/field/import', () => {
  const head = ['编码', '中文名称', '英文名称', '类型', '必填', '字典']
  const formOf = async (code: string) =>
    (
      await designer.post<{ id: string }>(`${BASE}/form/save`, {
        code,
        name: { zh: '导入', en: 'Import' },
        definition: trip().form,
      })
    ).data.id
  const send = async <T>(address: string, rows: CellValue[][], fields: Record<string, string> = {}, caller = designer) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', new Blob([new Uint8Array(workbook(rows))]), 'fields.xlsx')
    return read<T>(await caller.raw('POST', `${BASE}/form/field/import/${address}`, { body: form, headers: en }))
  }
  interface Preview {
    rows: { key: string; type: string; required: boolean; exists: boolean }[]
    errors: { row: number; column: string; cell: string; text: string }[]
  }

  it('offers a template that it takes itself', async () => {
    const { data } = await designer.get<{ url: string }>(`${BASE}/form/field/import/templateUrl`)
    const file = new Uint8Array(await (await designer.raw('GET', data.url)).arrayBuffer())
    const [sheet] = sheetsOf(file)
    expect(sheet!.rows[0]!.slice(0, 4)).toEqual(['编码', '中文名称', '英文名称', '类型'])
    const form = new FormData()
    form.append('file', new Blob([file]), 'template.xlsx')
    const preview = await read<Preview>(await designer.raw('POST', `${BASE}/form/field/import/view`, { body: form }))
    expect(preview.data).toMatchObject({ rows: [{ key: 'amount', type: 'money', required: true }], errors: [] })
    expect((await staff.get(`${BASE}/form/field/import/templateUrl`)).code).toBe(10010003)
  })

  it('tells every cell that cannot be taken by its address, and then writes nothing', async () => {
    const id = await formOf('importWrong')
    const rows = [
      head,
      ['plan', '计划', 'Plan', '单行', '是', null],
      ['Bad key', '坏', 'Bad', 'string', 'perhaps', null],
      ['plan', '又', 'Again', '图片', '否', null],
      ['level', '级别', 'Level', 'dict', '', 'nothing'],
    ]
    const { data } = await send<Preview>('view', rows, { formId: id })
    expect(data.rows.map(({ key }) => key)).toEqual(['plan'])
    expect(data.errors.map(({ cell, text }) => `${cell} ${text}`)).toEqual([
      'A3 A key begins with a small letter and holds letters and digits',
      'E3 It has to be yes or no',
      'D4 There is no type "图片"',
      'A4 The same key as in row 2',
      'F5 There is no dictionary "nothing"',
    ])
    const refused = await send<Preview>(id, rows)
    expect([refused.code, refused.msg, refused.data.errors.length]).toEqual([
      10010013,
      '5 cells cannot be taken: nothing was written.',
      5,
    ])
    expect(await query('select version_no as no from wf_form where id = $1', [id])).toEqual([{ no: 1 }])
    expect((await send('view', rows, {}, staff)).code).toBe(10010003)
  })

  it('tells the cell of an expression that reads what the form does not have', async () => {
    const rows = [
      [...head, '显示条件'],
      ['lines', '明细', 'Lines', 'rows', '', null, null],
      ['lines.count', '数量', 'Count', 'integer', '', null, '{{ nowhere > 1 }}'],
    ]
    const { data } = await send<Preview>('view', rows, { formId: await formOf('importReads') })
    expect(data.errors).toEqual([{ row: 3, column: 'G', cell: 'G3', text: expect.stringContaining('nowhere') as string }])
  })

  it('brings all fields of a right sheet in one version', async () => {
    const id = await formOf('importRight')
    const rows = [head, ['plan', '计划', 'Plan', '多行', '是', null], ['kind', '紧急', 'Urgency', '字典', '否', 'urgency']]
    const { code, data } = await send<{ versionNo: number; imported: number }>(id, rows)
    expect([code, data.versionNo, data.imported]).toEqual([0, 2, 2])
    const { data: fields } = await designer.post<{ list: { key: string; type: string; required: boolean }[] }>(
      `${BASE}/form/field/queryPage`,
      { formId: id },
    )
    expect(fields.list.slice(-2)).toMatchObject([
      { key: 'plan', type: 'text', required: true },
      { key: 'kind', type: 'dict', required: false },
    ])
    const other = await designer.post<{ versionNo: number }>(`${BASE}/form/field/copy`, {
      formId: await formOf('importCopy'),
      fromFormId: id,
      keys: ['plan', 'kind'],
    })
    expect([other.code, other.data.versionNo]).toEqual([0, 2])
  })
})

describe('role/*', () => {
  const made = async (code: string, members: object[] = [{ staffId: 'boss' }]) => {
    const answer = await roles.post<{ id: string }>(`${BASE}/role/save`, { code, name: { zh: '角色', en: 'Role' }, members })
    expect(answer.code).toBe(0)
    return answer.data.id
  }

  it('keeps members with their scope, and answers them', async () => {
    const id = await made('test.members', [{ staffId: 'boss' }, { staffId: 'staff', scopeType: 'product', scopeIds: ['sms'] }])
    const { data } = await roles.post<{ code: string; members: { staffId: string; scopeType: string; scopeIds: string[] }[] }>(
      `${BASE}/role/update/${id}`,
    )
    expect(data.members.map(({ staffId, scopeType, scopeIds }) => [staffId, scopeType, scopeIds])).toEqual([
      ['boss', 'all', []],
      ['staff', 'product', ['sms']],
    ])
    const { data: page } = await roles.post<{ total: number; list: { code: string }[] }>(`${BASE}/role/page`, {
      keyword: 'test.members',
    })
    expect(page).toMatchObject({ total: 1, list: [{ code: 'test.members' }] })
    const empty = await roles.post(`${BASE}/role/save`, { id, members: [{ staffId: 'boss', scopeType: 'dept' }] }, en)
    expect([empty.code, empty.msg]).toEqual([10010005, expect.any(String)])
    const { data: choices } = await staff.get<{ extra: { code: string; memberCount: number } }[]>(`${BASE}/select/role`)
    expect(choices.find(({ extra }) => extra.code === 'test.members')?.extra.memberCount).toBe(2)
  })

  it('refuses to delete a role that a current version asks, warns who disables it, deletes others twice without a difference', async () => {
    const [{ id: used } = { id: '' }] = await query<{ id: string }>(`select id from wf_role where code = 'fin.manager'`)
    await save(trip('tripRole'))
    const refused = await roles.get(`${BASE}/role/deleted/${used}`, en)
    expect([refused.code, refused.msg]).toEqual([10010007, expect.stringContaining('Processes ask this role:')])
    const { data } = await roles.post<{ warnings: { code: string }[] }>(`${BASE}/role/stateUpdate`, {
      id: used,
      state: 'disabled',
    })
    expect(data.warnings.map(({ code }) => code)).toContain('tripRole')
    const free = await made('test.free')
    expect((await staff.get(`${BASE}/role/deleted/${free}`)).code).toBe(10010003)
    expect((await roles.get(`${BASE}/role/deleted/${free}`)).code).toBe(0)
    expect((await roles.get(`${BASE}/role/deleted/${free}`)).code).toBe(0)
  })

  it.each([
    ['page', {}],
    ['save', { code: 'test.no', name: { zh: 'n', en: 'n' } }],
    ['stateUpdate', { id: 'x', state: 'disabled' }],
    ['update/x', {}],
  ])('%s is for who manages roles', async (call, body) => {
    expect((await staff.post(`${BASE}/role/${call}`, body)).code).toBe(10010003)
  })
})

describe('select/*', () => {
  it('answers the ways to decide in both languages (money 7.4)', async () => {
    const { data: agree } = await staff.get<{ value: string; label: { zh: string; en: string } }[]>(`${BASE}/select/agreeAction`)
    expect(agree.map(({ value }) => value)).toEqual([
      'agree',
      'agreeAddBefore',
      'agreeAddAfter',
      'agreeTransmit',
      'agreeSign',
      'done',
    ])
    expect(agree[1]!.label.zh).toBe('先请他人审批')
    const { data: reject } = await staff.get<{ value: string }[]>(`${BASE}/select/rejectAction`)
    expect(reject.map(({ value }) => value)).toEqual([
      'rejectEnd',
      'returnStart',
      'returnPrevious',
      'returnNode',
      'returnBackToMe',
    ])
  })

  it('answers forms, steps of a process, what processes act upon, and every process to designers', async () => {
    await save(trip('tripSelect'))
    const { data: nodes } = await staff.get<{ value: string; extra: { kind: string } }[]>(
      `${BASE}/select/processNode?code=tripSelect`,
    )
    expect(nodes.map(({ value, extra }) => [value, extra.kind])).toEqual([
      ['start', 'start'],
      ['size', 'condition'],
      ['manager', 'approve'],
      ['clerk', 'approve'],
      ['end', 'end'],
    ])
    const { data: forms } = await designer.get<{ extra: { code: string } }[]>(`${BASE}/select/form`)
    expect(forms.map(({ extra }) => extra.code)).toContain('tripSelect')
    const { data: services } = await staff.get<{ value: string; extra: { applyPath: string | null; detailCalls: string[] } }[]>(
      `${BASE}/select/serviceName`,
    )
    expect(services.find(({ value }) => value === 'cre.prepaidCredit')?.extra).toMatchObject({
      applyPath: '/general/process/credit-apply/prepay/apply',
      detailCalls: ['/v2/fc/cre/prepaidcredit/view/:id', '/v2/fc/cre/prepaidcredit/view/processInstance/:processId'],
    })
    expect((await staff.get(`${BASE}/select/process?all=1`)).code).toBe(10010003)
    expect((await designer.get(`${BASE}/select/process?all=1`)).code).toBe(0)
  })
})

describe('my/*', () => {
  it('counts and lists what somebody has to decide, applied for, decided and was copied, and nobody else', async () => {
    const { id } = await save(trip('tripMine'))
    const [version] = await query<{ versionId: string }>(
      'select current_version_id as "versionId" from wf_process where id = $1',
      [id],
    )
    const now = test.clock.now()
    const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString()
    await test.gateway.engine.transaction(systemContext({ now }), async (entities) => {
      const base = { version: 1, createdAt: now.toISOString(), updatedAt: now.toISOString() }
      const instance = {
        ...base,
        processId: id,
        versionId: version!.versionId,
        applicantId: 'staff',
        round: 1,
        effectStatus: 'none',
      }
      await entities.insertMany('wf.instance', [
        {
          ...instance,
          id: 'i1',
          code: 'BT202611230001',
          titleZh: '上海',
          titleEn: 'Shanghai',
          status: 'running',
          urgency: 'urgent',
          startedAt: ago(5),
          amount: '5',
          currency: 'CNY',
          amountCny: '5',
        },
        {
          ...instance,
          id: 'i2',
          code: 'BT202611230002',
          titleZh: '北京',
          titleEn: 'Beijing',
          status: 'done',
          urgency: 'normal',
          startedAt: ago(50),
          endedAt: ago(40),
        },
        { ...instance, id: 'i3', titleZh: '草稿', titleEn: 'Draft', code: 'BT202611230003', status: 'draft', urgency: 'normal' },
      ])
      const task = {
        ...base,
        processId: id,
        nodeId: 'clerk',
        nodeNameZh: '行政',
        nodeNameEn: 'Office',
        kind: 'approve',
        source: 'normal',
        round: 1,
        assigneeId: 'boss',
        urged: 0,
      }
      await entities.insertMany('wf.task', [
        { ...task, id: 't1', instanceId: 'i1', status: 'pending', arrivedAt: ago(4), dueAt: ago(1) },
        {
          ...task,
          id: 't2',
          instanceId: 'i2',
          status: 'agreed',
          action: 'agree',
          arrivedAt: ago(49),
          endedAt: ago(40),
          comment: 'ok',
        },
      ])
      await entities.insertMany('wf.cc', [
        { ...base, id: 'c1', instanceId: 'i2', nodeId: 'clerk', staffId: 'roles', at: ago(40) },
      ])
    })
    const summary = async (caller: Caller) => (await caller.post(`${BASE}/my/summary`)).data
    expect(await summary(boss)).toEqual({ applyNum: 0, ccNum: 0, handleNum: 1, todoNum: 1 })
    expect(await summary(staff)).toEqual({ applyNum: 1, ccNum: 0, handleNum: 0, todoNum: 0 })
    expect(await summary(roles)).toEqual({ applyNum: 0, ccNum: 1, handleNum: 0, todoNum: 0 })

    const list = async (caller: Caller, path: string, body: object = {}) =>
      (await caller.post<{ total: number; list: Record<string, unknown>[] }>(`${BASE}/my/${path}`, body)).data
    expect(await list(boss, 'toDoPage')).toMatchObject({
      total: 1,
      list: [
        {
          instanceId: 'i1',
          taskId: 't1',
          code: 'BT202611230001',
          title: { zh: '上海', en: 'Shanghai' },
          processName: { en: 'Business trip' },
          applicantName: '员工',
          currency: 'CNY',
          nodeName: { en: 'Office' },
          currentHandlers: ['主管'],
          status: 'running',
          urgency: 'urgent',
          overdue: true,
          read: false,
          batch: true,
        },
      ],
    })
    expect((await list(boss, 'toDoPage', { overdue: false })).total).toBe(0)
    expect(
      (await list(boss, 'toDoPage', { keyword: '上海', urgency: 'urgent', sort: { field: 'dueAt', order: 'asc' } })).total,
    ).toBe(1)
    expect((await list(boss, 'toDoPage', { keyword: '%' })).total).toBe(0)
    const found = async (body: object) => (await list(boss, 'toDoPage', body)).total
    expect([
      await found({ dateFrom: '2000-01-01', dateTo: '2100-01-01' }),
      await found({ dateTo: '2000-01-01' }),
      await found({ dateFrom: '2100-01-01' }),
    ]).toEqual([1, 0, 0])
    expect([
      await found({ applicantId: 'staff', processId: id, pageNum: 1, pageSize: 10 }),
      await found({ applicantId: 'boss' }),
    ]).toEqual([1, 0])
    expect((await list(staff, 'toDoPage')).total).toBe(0)
    expect((await list(staff, 'applyPage')).list.map(({ instanceId }) => instanceId)).toEqual(['i1', 'i2'])
    expect((await list(staff, 'applyPage', { status: 'draft' })).list).toMatchObject([{ instanceId: 'i3' }])
    expect((await list(boss, 'handlePage')).list).toMatchObject([{ taskId: 't2', action: 'agree', status: 'done' }])
    expect((await list(roles, 'ccMePage', { read: false })).list).toMatchObject([{ copyId: 'c1', read: false }])
    expect((await roles.post(`${BASE}/my/ccRead`, { all: true })).data).toEqual({ read: 1 })
    expect((await list(roles, 'ccMePage', { read: false })).total).toBe(0)

    const seen = async (caller: Caller) =>
      (
        await caller.post<{ total: number }>('/v2/wf/instance/queryPage', {
          where: [{ field: 'processId', operator: 'eq', value: id }],
        })
      ).data.total
    expect([await seen(staff), await seen(boss), await seen(roles), await seen(designer)]).toEqual([3, 2, 1, 3])
    const [other] = [await designer.post<{ nodes: { medianHours: number }[] }>(`${BASE}/process/figures`, { processId: id })]
    expect(other.data.nodes).toMatchObject([{ medianHours: 9, tasks: 1 }])
    // lists of applications say who has them, at which step and since when
    const { data: mine } = await staff.post<{ records: object[] }>('/v2/wf/instance/queryPage', {
      where: [{ field: 'id', operator: 'eq', value: 'i1' }],
    })
    expect(mine.records).toMatchObject([
      {
        currentNode: expect.any(String) as string,
        currentHandlers: expect.any(String) as string,
        waitingSince: expect.any(String) as string,
      },
    ])
    // a report asks by conditions; whoever administers no process sees no figures of it
    const told = async (caller: Caller) =>
      (
        await caller.post<{ totals: object[]; nodes: object[] }>(`${BASE}/process/figures`, {
          where: [
            { field: 'processId', operator: 'in', value: [id] },
            { field: 'endedAt', operator: 'between', value: ['2000-01-01', '2100-01-01'] },
          ],
        })
      ).data
    expect(await told(designer)).toMatchObject({ totals: [{ tasks: 1, medianHours: 9, refused: 0 }], nodes: [{ processId: id }] })
    expect(await told(staff)).toMatchObject({ totals: [{ tasks: 0, waiting: 0 }], nodes: [] })
  })

  it('delegates for at most 90 days, to one person at a time, and ends it twice without a difference', async () => {
    const until = (days: number) => new Date(test.clock.now().getTime() + days * 86_400_000).toISOString()
    const give = (body: object) =>
      boss.post<{ id: string }>(`${BASE}/my/delegation/save`, { toId: 'staff', untilAt: until(7), ...body }, en)
    expect((await give({ toId: 'boss' })).code).toBe(10010005)
    expect((await give({ untilAt: until(91) })).code).toBe(10010005)
    expect((await give({ toId: 'nobody' })).msg).toBe('This person has left or may not sign in. Name somebody else.')
    const { data, code } = await give({ reason: 'leave' })
    expect(code).toBe(0)
    expect((await give({})).msg).toBe('员工 already decides for you in that time. End that delegation first.')
    const { data: page } = await staff.post<{ received: { fromId: string; status: string }[] }>(`${BASE}/my/delegation/page`)
    expect(page.received).toMatchObject([{ fromId: 'boss', status: 'active' }])
    expect((await staff.post(`${BASE}/my/delegation/end/${data.id}`)).code).toBe(10010004)
    expect((await boss.post(`${BASE}/my/delegation/end/${data.id}`)).code).toBe(0)
    expect((await boss.post(`${BASE}/my/delegation/end/${data.id}`)).code).toBe(0)
    expect((await give({})).code).toBe(0)
  })
})

describe('file/upload', () => {
  it('takes a file as an attachment', async () => {
    const form = new FormData()
    form.append('file', new Blob(['hello']), 'note.txt')
    const response = await staff.raw('POST', `${BASE}/file/upload`, { body: form })
    expect(await response.json()).toMatchObject({
      code: 0,
      data: { name: 'note.txt', size: 5, id: expect.any(String) as string },
    })
    expect((await test.anybody.raw('POST', `${BASE}/file/upload`, { body: form })).status).toBe(401)
  })
})
