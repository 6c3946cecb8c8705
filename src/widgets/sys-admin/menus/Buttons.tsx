import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Table } from 'antd'
import { useActions } from '../../../runtime/action'
import { useHost } from '../../../runtime/hostContext'
import { tellFailure } from '../../../runtime/reading/tell'
import type { ManagedButton, ManagedMenu } from '../resources/menus'
import { menuTexts } from './texts'

interface ButtonsProps {
  menu: ManagedMenu
  editable: boolean
  onChanged(): void
}

/** The permission keys of an entry. */
export const Buttons = ({ menu, editable, onChanged }: ButtonsProps) => {
  const host = useHost()
  const texts = menuTexts[host.locale]
  const { openForm, outlet } = useActions()
  const open = async (title: string, values: Readonly<Record<string, unknown>>): Promise<void> => {
    if (await openForm({ form: 'sys/resource-button', container: 'drawer', title, values })) onChanged()
  }
  const remove = async (button: ManagedButton): Promise<void> => {
    const title = texts.removeTitle(host.locale === 'zh' ? button.zh : button.en)
    if (!(await host.confirm({ title, content: button.key, danger: true, okText: texts.remove }))) return
    try {
      await host.request({ method: 'GET', path: `/v2/sys/resourceButton/delete/${encodeURIComponent(button.id)}` })
      host.notify('success', texts.removed(button.key))
      onChanged()
    } catch (error) {
      tellFailure(host, error, 'management of access', (reason) => texts.failed(texts.remove, reason))
    }
  }
  return (
    <section aria-label={texts.buttons}>
      <Flex gap={8} align="center" justify="space-between" wrap>
        <h3 className="sb-admin-sub">{texts.buttons}</h3>
        {editable && (
          <Button
            size="small"
            icon={<PlusOutlined />}
            onClick={() => void open(texts.addButton, { menuId: menu.id, key: `${menu.international}:` })}
          >
            {texts.addButton}
          </Button>
        )}
      </Flex>
      <p className="sb-admin-note">{menu.buttons.length === 0 ? texts.noButtons : texts.buttonsHelp}</p>
      {menu.buttons.length > 0 && (
        <Table<ManagedButton>
          size="small"
          rowKey="id"
          pagination={false}
          scroll={{ x: 560 }}
          dataSource={[...menu.buttons]}
          columns={[
            { title: texts.buttonZh, dataIndex: 'zh' },
            { title: texts.buttonEn, dataIndex: 'en' },
            { title: texts.buttonKey, dataIndex: 'key', render: (key: string) => <span className="sb-admin-key">{key}</span> },
            { title: texts.grants, dataIndex: 'grantedBy', align: 'right', render: (count: number) => texts.roleCount(count) },
            ...(editable
              ? [
                  {
                    title: texts.actions,
                    key: 'actions',
                    width: 96,
                    render: (_: unknown, button: ManagedButton) => (
                      <Flex gap={4}>
                        <Button
                          type="text"
                          size="small"
                          icon={<EditOutlined />}
                          aria-label={`${texts.edit}: ${button.key}`}
                          onClick={() => void open(texts.editButton, { id: button.id })}
                        />
                        <Button
                          type="text"
                          size="small"
                          danger
                          icon={<DeleteOutlined />}
                          aria-label={`${texts.remove}: ${button.key}`}
                          onClick={() => void remove(button)}
                        />
                      </Flex>
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {outlet}
    </section>
  )
}
