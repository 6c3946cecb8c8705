import { Form, Select } from 'antd'
import { useEffect } from 'react'
import { SearchSelect } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import { Icon } from '../../../runtime/icon/Icon'
import { ICONS } from '../../../runtime/icon/iconSet'
import type { ModuleDocument } from '../../../schema/generated/module'
import type { Target, TargetState } from '../types'
import { groupsOf } from './newPage'
import { newPageTexts } from './newPageTexts'

/** What is chosen for the menu entry of a new page. */
export interface MenuFields {
  module: string
  /** Ids of the groups, joined by a slash; empty: the first level. */
  group: string
  /** Id of an entry; empty: first; nothing: last. */
  after?: string
  icon?: string
  roles?: readonly string[]
}

interface Props {
  module: string
  modules: readonly Target[]
  /** The module with its draft; null while it is read. */
  document: ModuleDocument | null
  roles: TargetState['roles']
  onModule(name: string): void
}

/** Where a new page stands in the menu, and who gets it. */
export const MenuTerms = ({ module, modules, document, roles, onModule }: Props) => {
  const { locale } = useHost()
  const texts = newPageTexts[locale]
  const form = Form.useFormInstance<MenuFields>()
  const chosen = Form.useWatch('group', form) ?? ''
  useEffect(() => form.setFieldsValue({ module }), [form, module])
  const groups = document ? groupsOf(document) : []
  const group = groups.find(({ ids }) => ids.join('/') === chosen)
  return (
    <>
      <Form.Item name="module" label={texts.module}>
        <SearchSelect
          options={modules.map(({ target, title }) => ({ value: target.slice('module:'.length), label: title[locale] }))}
          onChange={(name: string) => {
            form.setFieldsValue({ group: '', after: undefined })
            onModule(name)
          }}
        />
      </Form.Item>
      <Form.Item name="group" label={texts.group}>
        <SearchSelect
          loading={!document}
          onChange={() => form.setFieldsValue({ after: undefined })}
          options={groups.map(({ ids, titles }) => ({
            value: ids.join('/'),
            label: ids.length === 0 ? texts.top : titles.map((title) => title[locale]).join(' / '),
          }))}
        />
      </Form.Item>
      <Form.Item name="after" label={texts.after}>
        <Select
          allowClear
          placeholder={texts.last}
          options={[
            { value: '', label: texts.first },
            ...(group?.children ?? []).map(({ id, title }) => ({ value: id, label: title?.[locale] ?? id })),
          ]}
        />
      </Form.Item>
      <Form.Item name="icon" label={texts.icon}>
        <Select
          allowClear
          showSearch
          options={Object.keys(ICONS).map((name) => ({ value: name, label: name }))}
          optionRender={({ value }) => (
            <>
              <Icon name={String(value)} /> {value}
            </>
          )}
        />
      </Form.Item>
      <Form.Item name="roles" label={texts.roles} extra={texts.rolesHelp}>
        <Select
          mode="multiple"
          optionFilterProp="words"
          options={roles.map(({ code, name }) => ({ value: code, label: name[locale], words: `${name.zh} ${name.en} ${code}` }))}
        />
      </Form.Item>
    </>
  )
}
