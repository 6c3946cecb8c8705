import { MoreOutlined } from '@ant-design/icons'
import { Button, Descriptions, Dropdown, Tag } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { EmbeddedList } from '../../../runtime/page/EmbeddedList'
import { departmentName, flatDepartments, type DepartmentNode } from './departments'
import { organizationTexts } from './texts'

/** What can be done with a department. */
export type DepartmentAction = 'edit' | 'add' | 'move' | 'toggle' | 'remove'

interface DepartmentDetailProps {
  department: DepartmentNode
  editable: boolean
  onAction(action: DepartmentAction): void
}

/** One department with its staff. */
export const DepartmentDetail = ({ department, editable, onAction }: DepartmentDetailProps) => {
  const { locale } = useHost()
  const texts = organizationTexts[locale]
  const disabled = department.enabled === false
  return (
    <>
      <header className="sb-split-head">
        <h2>
          <bdi>{departmentName(department, locale)}</bdi>
        </h2>
        <span className="sb-admin-key">{department.code}</span>
        {disabled && <Tag>{texts.disabledTag}</Tag>}
        {editable && (
          <div className="sb-split-head-end">
            <Button type="primary" onClick={() => onAction('edit')}>
              {texts.edit}
            </Button>
            <Button onClick={() => onAction('add')}>{texts.addBelow}</Button>
            <Dropdown
              trigger={['click']}
              menu={{
                items: [
                  { key: 'move', label: texts.move, disabled: department.parentId === null },
                  { key: 'toggle', label: disabled ? texts.enable : texts.disable },
                  { type: 'divider' },
                  { key: 'remove', label: texts.remove, danger: true },
                ],
                onClick: ({ key }) => onAction(key as DepartmentAction),
              }}
            >
              <Button icon={<MoreOutlined />} aria-label={texts.more} />
            </Dropdown>
          </div>
        )}
      </header>
      <Descriptions
        size="small"
        column={{ xs: 1, md: 3 }}
        items={[
          { key: 'leader', label: texts.leader, children: department.leader ?? texts.none },
          { key: 'headcount', label: texts.headcount, children: texts.people(department.staffCount) },
          { key: 'below', label: texts.below, children: flatDepartments(department.children).length },
        ]}
      />
      <h3 className="sb-admin-sub">{texts.staff}</h3>
      <EmbeddedList page="sys/department-staff" query={{ departmentId: department.id }} />
    </>
  )
}
