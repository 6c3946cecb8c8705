import { Checkbox, Form, Input, Segmented } from 'antd'
import { useState } from 'react'
import { SearchSelect } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import type { EntityDocument } from '../../../schema/generated/entity'
import type { ModuleDocument } from '../../../schema/generated/module'
import { applyChanges } from '../../../schema/overlay'
import { tellFailure } from '../../../runtime/reading/tell'
import { useCall } from '../../../runtime/reading/useCall'
import { designerTexts } from '../texts'
import type { Target, TargetState } from '../types'
import { MenuTerms, type MenuFields } from './MenuTerms'
import { menuChange, moduleOf, newPage, type NewPageTerms } from './newPage'
import { newPageTexts } from './newPageTexts'
import { Dialog } from '../../../runtime/dialog/Dialog'

interface Props {
  targets: readonly Target[]
  onClose(): void
  onMade(target: string): void
}

type Terms = NewPageTerms & MenuFields & { entity: string; inMenu: boolean }

const NAME = /^(?=.{2,40}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
const PATH = /^\/[A-Za-z0-9/_-]+$/
const KEY = /^[a-zA-Z][A-Za-z0-9-]*(?::[A-Za-z0-9-]+)+$/

/** The document as it stands with its draft, else as it is released. */
const newestOf = ({ base, draft, released }: TargetState): unknown =>
  applyChanges<unknown>(base, draft?.changes ?? released?.changes ?? []).document

/** A new page of an entity with its menu entry and its key, as one set of drafts that is released together. */
export const NewPageDialog = ({ targets, onClose, onMade }: Props) => {
  const host = useHost()
  const { locale } = host
  const [texts, own] = [designerTexts[locale], newPageTexts[locale]]
  const [form] = Form.useForm<Terms>()
  const [busy, setBusy] = useState(false)
  const [module, setModule] = useState<string | null>(null)
  const inMenu = Form.useWatch('inMenu', form)
  const state = useCall<TargetState>(
    module === null ? null : { method: 'GET', path: '/v2/sys/schema/target', query: { target: `module:${module}` } },
  )
  const document = state.data ? (newestOf(state.data) as ModuleDocument) : null
  const taken = new Set(targets.flatMap(({ target, path }) => [target, path ?? '']))

  /** What was not typed by hand follows from the name and the entity. */
  const suggest = (given: Partial<Terms>): void => {
    const { entity, name, kind } = form.getFieldsValue()
    if (given.entity !== undefined) {
      setModule(moduleOf(given.entity))
      form.setFieldsValue({ group: '', after: undefined })
    }
    if (given.kind !== undefined) form.setFieldsValue({ inMenu: kind === 'list' })
    if (![given.name, given.entity, given.kind, given.inMenu].some((part) => part !== undefined) || !entity || !name) return
    if (!form.isFieldTouched('path')) form.setFieldsValue({ path: `/${moduleOf(entity)}/${name}` })
    if (!form.isFieldTouched('permission') && form.getFieldValue('inMenu') === true)
      form.setFieldsValue({ permission: `${moduleOf(entity)}:${name}` })
  }

  const make = async (terms: Terms): Promise<void> => {
    setBusy(true)
    try {
      const known = await host.request<TargetState>({
        method: 'GET',
        path: '/v2/sys/schema/target',
        query: { target: `entity:${terms.entity}` },
      })
      const target = `page:${moduleOf(terms.entity)}/${terms.name}`
      const page = { target, changes: [{ at: '', set: newPage(terms, newestOf(known) as EntityDocument) }] }
      const entry = () => ({
        target: `module:${terms.module}`,
        changes: [
          menuChange(terms, {
            group: terms.group === '' ? [] : terms.group.split('/'),
            after: terms.after === '' ? null : terms.after,
            icon: terms.icon,
            roles: terms.roles ?? [],
          }),
        ],
      })
      // Outside of the menu none of its terms is asked for.
      const drafts = terms.inMenu ? [page, entry()] : [page]
      await host.request({ method: 'POST', path: '/v2/sys/schema/draft/set', body: { drafts } })
      onMade(target)
    } catch (error) {
      tellFailure(host, error, 'page designer')
      setBusy(false)
    }
  }
  const rule = (pattern: RegExp) => ({ required: true, pattern, message: texts.newWrong })
  const needed = { required: true, whitespace: true, message: own.needed }
  const free = (address: (value: string) => string) => ({
    validator: (_: unknown, value: string) =>
      taken.has(address(value)) ? Promise.reject(new Error(own.taken)) : Promise.resolve(),
  })
  return (
    <Dialog
      open
      title={texts.newPage}
      okText={texts.newMake}
      cancelText={texts.cancel}
      confirmLoading={busy}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <p className="sb-design-help">{own.help}</p>
      <Form<Terms>
        form={form}
        layout="vertical"
        initialValues={{ kind: 'list', inMenu: true, group: '' }}
        onValuesChange={suggest}
        onFinish={(terms) => void make(terms)}
      >
        <Form.Item name="kind" label={texts.kind}>
          <Segmented
            options={(['list', 'detail', 'form'] as const).map((value) => ({ value, label: texts.pageKinds[value] ?? value }))}
          />
        </Form.Item>
        <Form.Item name="entity" label={texts.kinds.entity} rules={[{ required: true, message: own.entityNeeded }]}>
          <SearchSelect
            options={targets.flatMap(({ kind, entity, title }) =>
              kind !== 'entity' || entity === undefined ? [] : [{ value: entity, label: `${title[locale]} · ${entity}` }],
            )}
          />
        </Form.Item>
        <Form.Item name="name" label={texts.newName} rules={[rule(NAME), free((name) => `page:${module ?? ''}/${name}`)]}>
          <Input placeholder="key-customers" />
        </Form.Item>
        <Form.Item name={['title', 'zh']} label={`${texts.name} (${texts.chinese})`} rules={[needed]}>
          <Input />
        </Form.Item>
        <Form.Item name={['title', 'en']} label={`${texts.name} (${texts.english})`} rules={[needed]}>
          <Input />
        </Form.Item>
        <Form.Item name="path" label={texts.newPath} rules={[rule(PATH), free((path) => path)]}>
          <Input placeholder="/crm/key-customers" />
        </Form.Item>
        <Form.Item name="inMenu" valuePropName="checked">
          <Checkbox>{own.menu}</Checkbox>
        </Form.Item>
        {inMenu === false && <p className="sb-design-help">{own.outside}</p>}
        {inMenu && (
          <Form.Item name="permission" label={texts.newPermission} rules={[rule(KEY)]} extra={own.newKey}>
            <Input placeholder="crm:key-customers" />
          </Form.Item>
        )}
        {inMenu && module !== null && (
          <MenuTerms
            module={module}
            modules={targets.filter(({ kind }) => kind === 'module')}
            document={document}
            roles={state.data?.roles ?? []}
            onModule={setModule}
          />
        )}
      </Form>
    </Dialog>
  )
}
