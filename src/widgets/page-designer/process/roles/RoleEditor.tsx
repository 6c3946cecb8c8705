import '../../designer.css'
import '../process.css'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Input, Select, Tag } from 'antd'
import { useMemo, useState } from 'react'
import { dequal } from 'dequal/lite'
import { RemoteSelect, SearchSelect } from '../../../../runtime/choice/SearchSelect'
import { useHost } from '../../../../runtime/hostContext'
import { Denied } from '../../../../runtime/reading/Denied'
import { Loaded } from '../../../../runtime/reading/Loaded'
import { momentText } from '../../../../runtime/reading/moment'
import { tellFailure } from '../../../../runtime/reading/tell'
import { useCall } from '../../../../runtime/reading/useCall'
import { useTokenStyle } from '../../../../runtime/tokens'
import type { WidgetProps } from '../../../../runtime/widget'
import { isObject } from '../../../../schema/overlay'
import type { BilingualText } from '../../../../schema/problem'
import { STAFF } from '../panel/staff'
import type { Catalogue } from '../types'
import { choicesOf, textIn } from '../words'
import { RecordFrame } from '../work/RecordFrame'
import { roleTexts } from './texts'

const KEY = 'wf:role'
const ROLE = '/v2/workflow/role'
const LIST = '/setModule/process/roles'
const COMPANY_ENTITIES = '/v2/sys/companyEntity'
const CODE = /^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)*$/

type Scope = 'all' | 'dept' | 'product' | 'entity' | 'country'
const SCOPES: readonly Scope[] = ['all', 'dept', 'product', 'entity', 'country']

interface Member {
  id?: string
  staffId: string
  name?: string
  status?: string
  scopeType: Scope
  scopeIds: readonly string[]
}

/** Answer of POST /v2/workflow/role/update/{id}. */
interface RoleDetail {
  id: string
  version: number
  code: string
  name: BilingualText
  state: string
  remark: string | null
  members: readonly Member[]
  processes: readonly { processId: string; code: string; nameZh: string; nameEn: string }[]
  waiting: readonly {
    taskId: string
    instanceId: string
    code: string
    title: BilingualText
    node: BilingualText
    handler: string | null
    arrivedAt: string
    dueAt: string | null
  }[]
}

interface Draft {
  code: string
  name: BilingualText
  remark: string
  members: readonly Member[]
}

const draftOf = (role: RoleDetail | null): Draft => ({
  code: role?.code ?? '',
  name: role?.name ?? { zh: '', en: '' },
  remark: role?.remark ?? '',
  members: role?.members ?? [],
})

/** One approval role: who belongs to it, for what, and what waits on it. `?id=` names it, without it a new one begins. */
const RoleEditor = ({ values }: WidgetProps<object>) => {
  const host = useHost()
  const style = useTokenStyle()
  const id = isObject(values.query) && typeof values.query.id === 'string' && values.query.id !== '' ? values.query.id : null
  const may = host.can(KEY)
  const catalogue = useCall<Catalogue>(may ? { method: 'GET', path: '/v2/workflow/process/catalogue' } : null)
  const detail = useCall<RoleDetail>(
    may && id !== null ? { method: 'POST', path: `${ROLE}/update/${encodeURIComponent(id)}` } : null,
  )
  if (!may) return <Denied title={roleTexts[host.locale].denied} permission={KEY} />
  return (
    <div className="sb-designer sb-process" style={style}>
      <Loaded call={catalogue}>
        {(known) =>
          id === null ? (
            <RoleWork key="new" role={null} catalogue={known} onReload={() => undefined} />
          ) : (
            <Loaded call={detail}>
              {(role) => <RoleWork key={`${role.id} ${role.version}`} role={role} catalogue={known} onReload={detail.reload} />}
            </Loaded>
          )
        }
      </Loaded>
    </div>
  )
}
export default RoleEditor

interface WorkProps {
  role: RoleDetail | null
  catalogue: Catalogue
  onReload(): void
}

const RoleWork = ({ role, catalogue, onReload }: WorkProps) => {
  const host = useHost()
  const { locale } = host
  const texts = roleTexts[locale]
  const [draft, setDraft] = useState<Draft>(() => draftOf(role))
  const names = useMemo(() => new Map((role?.members ?? []).map(({ staffId, name }) => [staffId, name ?? staffId])), [role])
  const [learnt, setLearnt] = useState<ReadonlyMap<string, string>>(new Map())
  const unsaved = !dequal(draft, draftOf(role))
  const title = textIn(draft.name, locale) || texts.newRole
  const complete =
    CODE.test(draft.code) &&
    draft.name.zh !== '' &&
    draft.name.en !== '' &&
    draft.members.every(({ staffId, scopeType, scopeIds }) => staffId !== '' && (scopeType === 'all' || scopeIds.length > 0))
  const put = (part: Partial<Draft>): void => setDraft((known) => ({ ...known, ...part }))
  const putMember = (index: number, member: Member | null): void =>
    put({ members: member ? draft.members.with(index, member) : draft.members.filter((_, position) => position !== index) })

  const save = async (): Promise<string | null> => {
    const { code, name, remark, members } = draft
    const saved = await host.request<{ id: string }>({
      method: 'POST',
      path: `${ROLE}/save`,
      body: {
        ...(role ? { id: role.id, version: role.version } : { code }),
        name,
        remark: remark === '' ? null : remark,
        members: members.map(({ id, staffId, scopeType, scopeIds }) => ({
          ...(id === undefined ? {} : { id }),
          staffId,
          scopeType,
          scopeIds: scopeType === 'all' ? [] : scopeIds,
        })),
      },
      idempotent: true,
    })
    return role ? null : `${LIST}/members?id=${encodeURIComponent(saved.id)}`
  }
  const switchState = async (enabled: boolean): Promise<void> => {
    if (!role) return
    const uses = role.processes.map(({ nameZh, nameEn }) => (locale === 'zh' ? nameZh : nameEn))
    const sure =
      enabled ||
      uses.length === 0 ||
      (await host.confirm({
        title: texts.disableAsk,
        content: texts.disableText(uses.join(', ')),
        danger: true,
        okText: texts.disable,
      }))
    if (!sure) return
    try {
      await host.request({
        method: 'POST',
        path: `${ROLE}/stateUpdate`,
        body: { id: role.id, state: enabled ? 'enabled' : 'disabled' },
        idempotent: true,
      })
      onReload()
    } catch (error) {
      tellFailure(host, error, 'approval roles')
    }
  }
  const scopeValues = (member: Member, index: number) => {
    const set = (scopeIds: readonly string[]): void => putMember(index, { ...member, scopeIds })
    const label = texts.valuesOf(member.name ?? learnt.get(member.staffId) ?? '')
    if (member.scopeType === 'all') return <span className="sb-design-help">{texts.everything}</span>
    if (member.scopeType === 'entity')
      return (
        <RemoteSelect
          className="sb-design-wide"
          host={host}
          path={COMPANY_ENTITIES}
          multiple
          eager
          aria-label={label}
          value={member.scopeIds}
          titleOf={(id) => learnt.get(id)}
          onChange={(ids, titles) => {
            setLearnt((known) => new Map([...known, ...titles]))
            set(ids)
          }}
        />
      )
    const options =
      member.scopeType === 'dept'
        ? catalogue.departments.map(({ id, name }) => ({ value: id, label: name }))
        : member.scopeType === 'product'
          ? choicesOf(catalogue, 'product', locale)
          : []
    return (
      <SearchSelect<readonly string[]>
        className="sb-design-wide"
        mode={member.scopeType === 'country' ? 'tags' : 'multiple'}
        aria-label={label}
        placeholder={member.scopeType === 'country' ? texts.countryCodes : texts.choose}
        value={member.scopeIds}
        options={options}
        onChange={(next) => set(member.scopeType === 'country' ? next.map((code) => code.toUpperCase().slice(0, 2)) : next)}
      />
    )
  }
  return (
    <RecordFrame
      title={title}
      code={draft.code}
      list={LIST}
      enabled={role ? role.state === 'enabled' : undefined}
      onSwitch={(next) => void switchState(next)}
      changed={unsaved}
      complete={complete}
      savedText={texts.saved}
      onDrop={() => setDraft(draftOf(role))}
      onSave={save}
      onReload={onReload}
    >
      <div className="sb-process-facts">
        <section aria-label={texts.facts}>
          {(['zh', 'en'] as const).map((language) => (
            <label key={language} className="sb-design-control">
              <span className="sb-design-label">{language === 'zh' ? texts.nameZh : texts.nameEn}</span>
              <Input
                value={draft.name[language]}
                onChange={(event) => put({ name: { ...draft.name, [language]: event.target.value } })}
              />
            </label>
          ))}
          <label className="sb-design-control">
            <span className="sb-design-label">{texts.code}</span>
            <Input
              className="sb-design-mono"
              disabled={role !== null}
              status={draft.code === '' || CODE.test(draft.code) ? '' : 'error'}
              value={draft.code}
              onChange={(event) => put({ code: event.target.value.trim() })}
            />
            <small className="sb-design-help">{texts.codeHelp}</small>
          </label>
          <label className="sb-design-control">
            <span className="sb-design-label">{texts.remark}</span>
            <Input.TextArea
              rows={2}
              maxLength={500}
              value={draft.remark}
              onChange={(event) => put({ remark: event.target.value })}
            />
          </label>
        </section>
        <section aria-label={texts.waiting}>
          <h3>{texts.waitingCount(role?.waiting.length ?? 0)}</h3>
          {role && role.waiting.length > 0 ? (
            <ul className="sb-design-differences">
              {role.waiting.slice(0, 20).map((task) => (
                <li key={task.taskId}>
                  <Button
                    type="link"
                    className="sb-design-open"
                    onClick={() => host.navigate(`/general/process/my-agent/profile?taskId=${encodeURIComponent(task.taskId)}`)}
                  >
                    {task.code} {textIn(task.title, locale)}
                  </Button>{' '}
                  <span className="sb-design-help">
                    {textIn(task.node, locale)} · {task.handler ?? '—'} · {momentText(host, task.arrivedAt)}
                  </span>
                  {task.dueAt !== null && Date.parse(task.dueAt) < host.now().getTime() && <Tag color="red">{texts.overdue}</Tag>}
                </li>
              ))}
            </ul>
          ) : (
            <p className="sb-design-lead">{texts.nothingWaits}</p>
          )}
          <h3>{texts.usedIn}</h3>
          {role && role.processes.length > 0 ? (
            <div className="sb-design-below">
              {role.processes.map(({ processId, code, nameZh, nameEn }) => (
                <Button
                  key={processId}
                  size="small"
                  onClick={() => host.navigate(`/setModule/process/configer/design?id=${encodeURIComponent(code)}`)}
                >
                  {locale === 'zh' ? nameZh : nameEn}
                </Button>
              ))}
            </div>
          ) : (
            <p className="sb-design-lead">{texts.usedNowhere}</p>
          )}
        </section>
      </div>
      <section className="sb-process-effects" aria-label={texts.members}>
        <h3>{texts.memberCount(draft.members.length)}</h3>
        {draft.members.length === 0 && <p className="sb-design-lead">{texts.nobody}</p>}
        <ul className="sb-role-members">
          {draft.members.map((member, index) => (
            <li key={member.id ?? `${index} ${member.staffId}`}>
              <RemoteSelect
                className="sb-design-wide"
                host={host}
                path={STAFF}
                aria-label={texts.member}
                value={member.staffId === '' ? [] : [member.staffId]}
                titleOf={(id) => names.get(id) ?? learnt.get(id)}
                onChange={(ids, titles) => {
                  setLearnt((known) => new Map([...known, ...titles]))
                  putMember(index, { ...member, staffId: ids[0] ?? '' })
                }}
              />
              <Select<Scope>
                aria-label={texts.scope}
                value={member.scopeType}
                options={choicesOf(catalogue, 'roleScope', locale, SCOPES) as { value: Scope; label: string }[]}
                onChange={(scopeType) => putMember(index, { ...member, scopeType, scopeIds: [] })}
              />
              {scopeValues(member, index)}
              <Button danger type="text" onClick={() => putMember(index, null)}>
                {texts.remove}
              </Button>
              {member.status === 'left' && <Tag color="red">{texts.left}</Tag>}
            </li>
          ))}
        </ul>
        <Button
          icon={<PlusOutlined />}
          onClick={() => put({ members: [...draft.members, { staffId: '', scopeType: 'all', scopeIds: [] }] })}
        >
          {texts.add}
        </Button>
      </section>
    </RecordFrame>
  )
}
