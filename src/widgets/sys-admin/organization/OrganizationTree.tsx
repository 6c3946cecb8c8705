import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { useActions } from '../../../runtime/action'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { tellFailure } from '../../../runtime/reading/tell'
import { useCall } from '../../../runtime/reading/useCall'
import { AdminPage } from '../split/AdminPage'
import { Split } from '../split/Split'
import { DepartmentDetail, type DepartmentAction } from './DepartmentDetail'
import { DepartmentList } from './DepartmentList'
import {
  DEPARTMENT,
  departmentName,
  departmentTree,
  EDIT_DEPARTMENTS,
  flatDepartments,
  type DepartmentAnswer,
  type DepartmentNode,
} from './departments'
import { MoveDialog } from './MoveDialog'
import { organizationTexts } from './texts'

/** All of them: a tree is only a tree as a whole. */
const ALL_DEPARTMENTS = {
  method: 'POST',
  path: `${DEPARTMENT}/queryPage`,
  body: { pageNo: 1, pageSize: 1000, sort: [{ field: 'sortNo', order: 'asc' }] },
} as const

/** The departments as a tree, with their staff. */
const OrganizationTree = () => {
  const host = useHost()
  const texts = organizationTexts[host.locale]
  const call = useCall<DepartmentAnswer>(ALL_DEPARTMENTS)
  return (
    <AdminPage title={texts.title} help={texts.help}>
      <Loaded call={call} rows={10}>
        {(answer) => <Organization answer={answer} onChanged={call.reload} />}
      </Loaded>
    </AdminPage>
  )
}
export default OrganizationTree

const Organization = ({ answer, onChanged }: { answer: DepartmentAnswer; onChanged(): void }) => {
  const host = useHost()
  const texts = organizationTexts[host.locale]
  const { openForm, outlet } = useActions()
  const [chosenId, setChosen] = useState<string | null>(null)
  const [opened, setOpened] = useState(false)
  const [moving, setMoving] = useState<DepartmentNode | null>(null)
  const departments = useMemo(() => departmentTree(answer), [answer])
  const all = useMemo(() => flatDepartments(departments), [departments])
  const chosen = all.find(({ id }) => id === chosenId) ?? departments[0]
  const editable = host.can(EDIT_DEPARTMENTS)
  const nameOf = (department: DepartmentNode): string => departmentName(department, host.locale)

  const form = async (title: string, values: Readonly<Record<string, unknown>>): Promise<void> => {
    const saved = (await openForm({ form: 'sys/department', container: 'drawer', title, values })) as { id?: string } | undefined
    if (!saved) return
    if (saved.id) setChosen(saved.id)
    onChanged()
  }
  /** Does something and says what became of it. */
  const attempt = async (label: string, done: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
      host.notify('success', done)
      onChanged()
    } catch (error) {
      tellFailure(host, error, 'management of access', (reason) => texts.failed(label, reason))
    }
  }
  const save = (department: DepartmentNode, change: Readonly<Record<string, unknown>>): Promise<unknown> =>
    host.request({
      method: 'POST',
      path: `${DEPARTMENT}/save`,
      body: { id: department.id, version: department.version, ...change },
      idempotent: true,
    })
  const move = async (id: string, parentId: string): Promise<void> => {
    const department = all.find((node) => node.id === id)
    const target = all.find((node) => node.id === parentId)
    if (!department || !target || department.parentId === parentId || id === parentId) return
    const below = flatDepartments(department.children).length
    const confirmed = await host.confirm({
      title: texts.moveTitle(nameOf(department), nameOf(target)),
      content: texts.moveText(department.staffCount, below),
      okText: texts.move,
    })
    if (confirmed)
      await attempt(texts.move, texts.moved(nameOf(department), nameOf(target)), () => save(department, { parentId }))
  }
  const act = async (action: DepartmentAction, department: DepartmentNode): Promise<void> => {
    const name = nameOf(department)
    switch (action) {
      case 'edit':
        return form(texts.edit, { id: department.id })
      case 'add':
        return form(texts.addBelow, { parentId: department.id })
      case 'move':
        return setMoving(department)
      case 'toggle': {
        const enabled = department.enabled === false
        const asked = { title: texts.disableTitle(name), content: texts.disableText, danger: true, okText: texts.disable }
        if (!enabled && !(await host.confirm(asked))) return
        return attempt(enabled ? texts.enable : texts.disable, enabled ? texts.enabled(name) : texts.disabled(name), () =>
          save(department, { enabled }),
        )
      }
      case 'remove': {
        const asked = { title: texts.removeTitle(name), content: texts.removeText, danger: true, okText: texts.remove }
        if (!(await host.confirm(asked))) return
        return attempt(texts.remove, texts.removed(name), () =>
          host.request({
            method: 'GET',
            path: `${DEPARTMENT}/delete/${encodeURIComponent(department.id)}`,
            query: { version: department.version },
          }),
        )
      }
    }
  }

  return (
    <>
      <Split
        listLabel={texts.tree}
        detailLabel={texts.department}
        open={opened}
        backLabel={texts.back}
        onBack={() => setOpened(false)}
        list={
          <>
            {editable && departments.length === 0 && (
              <Button icon={<PlusOutlined />} onClick={() => void form(texts.addRoot, {})}>
                {texts.addRoot}
              </Button>
            )}
            <DepartmentList
              departments={departments}
              chosen={chosen?.id ?? null}
              editable={editable}
              onChoose={(id) => {
                setChosen(id)
                setOpened(true)
              }}
              onMove={(id, parentId) => void move(id, parentId)}
            />
          </>
        }
        detail={
          chosen ? (
            <DepartmentDetail department={chosen} editable={editable} onAction={(action) => void act(action, chosen)} />
          ) : (
            <p className="sb-admin-note">{departments.length === 0 ? texts.nothing : texts.choose}</p>
          )
        }
      />
      {moving && (
        <MoveDialog
          department={moving}
          departments={departments}
          onClose={() => setMoving(null)}
          onPick={(parentId) => {
            setMoving(null)
            void move(moving.id, parentId)
          }}
        />
      )}
      {outlet}
    </>
  )
}
