import { Form, Input, Modal, Segmented, Select } from 'antd'
import { useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import type { EntityDocument } from '../../../schema/generated/entity'
import { tellFailure } from '../../../runtime/reading/tell'
import { designerTexts } from '../texts'
import type { Target, TargetState } from '../types'
import { moduleOf, newPage, type NewPageTerms } from './newPage'

interface Props {
  entities: readonly Target[]
  onClose(): void
  onMade(target: string): void
}

type Terms = NewPageTerms & { entity: string }

const NAME = /^[a-z][a-z0-9-]{1,40}$/
const PATH = /^\/[A-Za-z0-9/_-]+$/
const KEY = /^[a-zA-Z][A-Za-z0-9-]*(?::[A-Za-z0-9-]+)+$/

/** A new page of an entity, as a draft: its kind, name, route and permission. It comes into a menu by the document of the module. */
export const NewPageDialog = ({ entities, onClose, onMade }: Props) => {
  const host = useHost()
  const { locale } = host
  const texts = designerTexts[locale]
  const [form] = Form.useForm<Terms>()
  const [busy, setBusy] = useState(false)
  const make = async (terms: Terms): Promise<void> => {
    setBusy(true)
    try {
      const known = await host.request<TargetState>({
        method: 'GET',
        path: '/v2/sys/schema/target',
        query: { target: `entity:${terms.entity}` },
      })
      const target = `page:${moduleOf(terms.entity)}/${terms.name}`
      const changes = [{ at: '', set: newPage(terms, known.base as EntityDocument) }]
      await host.request({ method: 'POST', path: '/v2/sys/schema/draft/save', body: { target, role: null, version: 0, changes } })
      onMade(target)
    } catch (error) {
      tellFailure(host, error, 'page designer')
      setBusy(false)
    }
  }
  const rule = (pattern: RegExp) => [{ required: true, pattern, message: texts.newWrong }]
  return (
    <Modal
      open
      title={texts.newPage}
      okText={texts.newMake}
      cancelText={texts.cancel}
      confirmLoading={busy}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form<Terms> form={form} layout="vertical" initialValues={{ kind: 'list' }} onFinish={(terms) => void make(terms)}>
        <Form.Item name="kind" label={texts.kind}>
          <Segmented
            options={(['list', 'detail', 'form'] as const).map((value) => ({ value, label: texts.pageKinds[value] ?? value }))}
          />
        </Form.Item>
        <Form.Item name="entity" label={texts.kinds.entity} rules={[{ required: true, message: texts.newWrong }]}>
          <Select
            showSearch
            optionFilterProp="label"
            options={entities.flatMap(({ entity, title }) =>
              entity === undefined ? [] : [{ value: entity, label: `${title[locale]} · ${entity}` }],
            )}
          />
        </Form.Item>
        <Form.Item name="name" label={texts.newName} rules={rule(NAME)}>
          <Input placeholder="key-customers" />
        </Form.Item>
        <Form.Item name={['title', 'zh']} label={`${texts.name} (${texts.chinese})`} rules={rule(/\S/)}>
          <Input />
        </Form.Item>
        <Form.Item name={['title', 'en']} label={`${texts.name} (${texts.english})`} rules={rule(/\S/)}>
          <Input />
        </Form.Item>
        <Form.Item name="path" label={texts.newPath} rules={rule(PATH)}>
          <Input placeholder="/crm/key-customers" />
        </Form.Item>
        <Form.Item name="permission" label={texts.newPermission} rules={rule(KEY)}>
          <Input placeholder="crm:key-customers" />
        </Form.Item>
      </Form>
    </Modal>
  )
}
