import { Alert, Button, Checkbox, Flex, Form, Input, Select } from 'antd'
import { useEffect, useState } from 'react'
import { isAborted, toFailure } from '../../../headless/failure'
import { useHost } from '../../../runtime/hostContext'
import { ConflictNotice } from '../calls/ConflictNotice'
import { conflictOf, fieldErrorsOf, type Conflict } from '../calls/refusal'
import type { ManagedMenu } from '../resources/menus'
import { IconPicker } from './IconPicker'
import { RouterInput } from './RouterInput'
import { menuTexts } from './texts'

export const MENU = '/v2/sys/menuResource'
export const EDIT_MENUS = 'setModule:authManage:menu:edit'

/** The fields of an entry that the form edits. */
interface MenuValues {
  name: string
  nameEn: string | null
  international: string
  router: string | null
  icon: string | null
  kind: string
  webShowFlag: boolean
  mobileFlag: boolean
  newWindow: boolean
  iframeName: string | null
}

interface MenuFormProps {
  /** The entry, or null for a new one. */
  menu: ManagedMenu | null
  /** Where a new one goes. */
  parent: ManagedMenu | null
  editable: boolean
  onUnsaved(unsaved: boolean): void
  onSaved(id: string): void
  /** Reads the entry again. */
  onTake(): void
  onCancel?(): void
}

const KEY = /^[a-zA-Z][A-Za-z0-9-]*(?::[A-Za-z0-9-]+)+$/
const ROUTER = /^(?:\/|https?:\/\/)\S*$/
const LAST = 1_000_000

const valuesOf = (menu: ManagedMenu | null, parent: ManagedMenu | null): MenuValues => ({
  name: menu?.nameZh ?? '',
  nameEn: menu?.nameEn ?? '',
  international: menu?.international ?? (parent ? `${parent.international}:` : ''),
  router: menu?.router ?? '',
  icon: menu?.icon ?? null,
  kind: menu?.kind ?? (parent ? 'menu' : 'module'),
  webShowFlag: menu?.webShowFlag ?? true,
  mobileFlag: menu?.mobileFlag ?? false,
  newWindow: menu?.newWindow ?? false,
  iframeName: menu?.iframeName ?? '',
})

const NAMES = [
  'name',
  'nameEn',
  'international',
  'router',
  'icon',
  'kind',
  'webShowFlag',
  'mobileFlag',
  'newWindow',
  'iframeName',
] as const satisfies readonly (keyof MenuValues)[]

const stored = (value: MenuValues[keyof MenuValues]): unknown => (typeof value === 'string' ? value.trim() || null : value)

const changesOf = (before: MenuValues, now: MenuValues): Record<string, unknown> =>
  Object.fromEntries(NAMES.flatMap((name) => (stored(before[name]) === stored(now[name]) ? [] : [[name, stored(now[name])]])))

/** The details of a menu entry. */
export const MenuForm = ({ menu, parent, editable, onUnsaved, onSaved, onTake, onCancel }: MenuFormProps) => {
  const host = useHost()
  const texts = menuTexts[host.locale]
  const [form] = Form.useForm<MenuValues>()
  const [before, setBefore] = useState(() => ({ values: valuesOf(menu, parent), version: menu?.version }))
  const [dirty, setDirty] = useState(false)
  const [saving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)

  useEffect(() => {
    onUnsaved(dirty)
    host.setUnsaved(dirty)
    return () => {
      onUnsaved(false)
      host.setUnsaved(false)
    }
  }, [dirty, host, onUnsaved])

  // What was read anew (after a move or a save) is the ground of the next save, unless something is being edited.
  if (menu && menu.version !== before.version && !dirty) setBefore({ values: valuesOf(menu, parent), version: menu.version })

  const reset = (): void => {
    form.resetFields()
    setDirty(false)
    setConflict(null)
    setRefusal(null)
  }
  const send = async (values: MenuValues, version: number | undefined): Promise<void> => {
    setSaving(true)
    setConflict(null)
    setRefusal(null)
    const changes = changesOf(before.values, values)
    const body = menu
      ? { id: menu.id, version, ...changes }
      : { ...Object.fromEntries(NAMES.map((name) => [name, stored(values[name])])), parentId: parent?.id ?? null, sortNo: LAST }
    try {
      const { id } = await host.request<{ id: string }>({ method: 'POST', path: `${MENU}/save`, body, idempotent: true })
      setDirty(false)
      host.notify('success', texts.saved)
      onSaved(id)
    } catch (error) {
      const stale = conflictOf(error)
      const errors = fieldErrorsOf(error).filter(({ field }) => NAMES.some((name) => name === field))
      if (stale) setConflict(stale)
      else if (errors.length > 0)
        form.setFields(errors.map(({ field, message }) => ({ name: field as keyof MenuValues, errors: [message] })))
      else if (!isAborted(error)) setRefusal(toFailure(error, host.locale).message)
    } finally {
      setSaving(false)
    }
  }
  const length = (max: number) => ({ max, message: texts.tooLong(max) })
  const needed = (label: string) => ({ required: true, whitespace: true, message: texts.required(label) })
  return (
    <Form<MenuValues>
      key={before.version}
      // Pages that are kept in the background have forms too: ids are made unique by the name.
      name={`menu-${menu?.id ?? 'new'}`}
      form={form}
      layout="vertical"
      disabled={!editable}
      initialValues={before.values}
      onValuesChange={(_, values) => setDirty(Object.keys(changesOf(before.values, values)).length > 0)}
      onFinish={(values) => void send(values, before.version)}
    >
      <Flex vertical gap={12} style={{ marginBottom: 12 }}>
        {refusal && <Alert type="error" showIcon message={texts.failed(texts.save, refusal)} />}
        {conflict && (
          <ConflictNotice
            conflict={conflict}
            labels={texts.fields}
            onTake={() => {
              reset()
              onTake()
            }}
            onKeep={() => void send(form.getFieldsValue(true) as MenuValues, conflict.version)}
          />
        )}
      </Flex>
      <div className="sb-menu-fields">
        <Form.Item name="name" label={texts.name} rules={[needed(texts.name), length(60)]}>
          <Input />
        </Form.Item>
        <Form.Item name="nameEn" label={texts.nameEn} rules={[length(60)]}>
          <Input />
        </Form.Item>
        <Form.Item
          name="international"
          label={texts.international}
          extra={texts.internationalHelp}
          rules={[needed(texts.international), { pattern: KEY, message: texts.internationalWrong }, length(120)]}
        >
          <Input readOnly={menu !== null} variant={menu ? 'filled' : 'outlined'} spellCheck={false} />
        </Form.Item>
        <Form.Item
          name="router"
          label={texts.router}
          extra={texts.routerHelp}
          rules={[{ pattern: ROUTER, message: texts.routerWrong }]}
        >
          <RouterInput />
        </Form.Item>
        <Form.Item name="kind" label={texts.kind}>
          <Select options={(['module', 'menu', 'page'] as const).map((kind) => ({ value: kind, label: texts.kinds[kind] }))} />
        </Form.Item>
        <Form.Item name="icon" label={texts.icon}>
          <IconPicker disabled={!editable} />
        </Form.Item>
        <Form.Item name="iframeName" label={texts.iframeName} extra={texts.iframeHelp} rules={[length(60)]}>
          <Input spellCheck={false} />
        </Form.Item>
        <fieldset className="sb-menu-flags">
          <legend>{texts.flags}</legend>
          {(['webShowFlag', 'mobileFlag', 'newWindow'] as const).map((name) => (
            <Form.Item key={name} name={name} valuePropName="checked" noStyle>
              <Checkbox>{texts[name]}</Checkbox>
            </Form.Item>
          ))}
        </fieldset>
      </div>
      {editable && (
        <Flex gap={8} wrap align="center">
          <Button type="primary" htmlType="submit" loading={saving} disabled={menu !== null && !dirty}>
            {menu ? texts.save : texts.create}
          </Button>
          {dirty && <Button onClick={reset}>{texts.discard}</Button>}
          {onCancel && !dirty && <Button onClick={onCancel}>{texts.back}</Button>}
          {dirty && <span className="sb-admin-note">{texts.unsaved}</span>}
        </Flex>
      )}
    </Form>
  )
}
