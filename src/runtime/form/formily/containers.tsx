import { Editable, FormCollapse, FormTab } from '@formily/antd-v5'
import { observer, RecursionField, useField, useFieldSchema } from '@formily/react'
import { isField } from '@formily/core'
import { Button, Drawer, Modal, Steps } from 'antd'
import { useEffect, useMemo, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import { useSession, useText, useTextsOf } from '../view/session'
import { usePhone } from '../../media'

/** Says how a part of this container is opened, for whoever looks for a field in it. */
const useFold = (open: (part: string) => void): void => {
  const { folds } = useSession()
  const address = useField().address.toString()
  useEffect(() => {
    folds.set(address, open)
    return () => {
      folds.delete(address)
    }
  }, [address, folds, open])
}

/** The parts of a container: nodes with a component whose name ends so, that are shown. */
const useParts = (kind: string) => {
  const field = useField()
  const schema = useFieldSchema()
  const parts = schema.mapProperties((part, name) => ({ part, name: String(name) }))
  return parts.flatMap(({ part, name }) => {
    const own = field.query(field.address.concat(name)).take()
    if (!String(part['x-component']).endsWith(kind) || (own && own.display !== 'visible')) return []
    const settings: Readonly<Record<string, unknown>> = { ...part['x-component-props'], ...own?.componentProps }
    return [{ name, part, settings, title: own?.title ?? part.title }]
  })
}

/** Tabs. */
export const Tabs = observer(({ defaultActiveKey, ...props }: ComponentProps<typeof FormTab>) => {
  const [formTab] = useState(() => FormTab.createFormTab(defaultActiveKey))
  const parts = useParts('TabPane')
  const keys = new Map(parts.map(({ name, settings }) => [name, String(settings.key ?? name)]))
  const [open] = useState(() => ({ keys }))
  open.keys = keys
  useFold(useMemo(() => (part) => formTab.setActiveKey(open.keys.get(part) ?? part), [formTab, open]))
  return <FormTab {...props} formTab={formTab} />
})

/** Folds. */
export const Folds = observer(({ defaultActiveKey, ...props }: ComponentProps<typeof FormCollapse>) => {
  const parts = useParts('CollapsePanel')
  const [formCollapse] = useState(() =>
    FormCollapse.createFormCollapse(defaultActiveKey ?? parts.map(({ name, settings }) => String(settings.key ?? name))),
  )
  const keys = new Map(parts.map(({ name, settings }) => [name, String(settings.key ?? name)]))
  const [open] = useState(() => ({ keys }))
  open.keys = keys
  const { accordion } = props
  useFold(
    useMemo(
      () => (part) => {
        const key = open.keys.get(part) ?? part
        if (accordion) formCollapse.setActiveKeys([key])
        else formCollapse.addActiveKey(key)
      },
      [accordion, formCollapse, open],
    ),
  )
  // antd calls folds of which one is open a list of tabs, which they are not
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    for (const head of frame.current?.querySelectorAll('.ant-collapse-header[role=tab]') ?? [])
      head.setAttribute('role', 'button')
    for (const list of frame.current?.querySelectorAll('.ant-collapse[role=tablist]') ?? []) list.removeAttribute('role')
  })
  return (
    <div ref={frame}>
      <FormCollapse {...props} formCollapse={formCollapse as never} />
    </div>
  )
})

interface StepsProps extends Omit<ComponentProps<typeof Steps>, 'items' | 'current' | 'onChange'> {
  formStep?: unknown
}

const STEP_TEXTS = {
  next: { zh: '下一步', en: 'Next' },
  previous: { zh: '上一步', en: 'Back' },
} as const

/** Steps: the next one opens when this one is right. All keep their values, and are checked again before the form is sent. */
export const FormSteps = observer(({ formStep: _formStep, ...props }: StepsProps) => {
  const field = useField()
  const t = useTextsOf(STEP_TEXTS)
  const parts = useParts('StepPane')
  const phone = usePhone()
  const [current, setCurrent] = useState(0)
  const [checking, setChecking] = useState(false)
  const names = parts.map(({ name }) => name).join(' ')
  useFold(
    useMemo(
      () => (part) => {
        const at = names.split(' ').indexOf(part)
        if (at >= 0) setCurrent(at)
      },
      [names],
    ),
  )
  const at = Math.min(current, parts.length - 1)
  const shown = parts[at]
  if (!shown) return null
  const wrong = (name: string): boolean =>
    field.form.queryFeedbacks({ type: 'error', address: `${field.address.toString()}.${name}.*` }).length > 0
  const next = async (): Promise<void> => {
    setChecking(true)
    try {
      await field.form.validate(`${field.address.toString()}.${shown.name}.*`)
      setCurrent(at + 1)
    } catch {
      // what is wrong stands at its fields
    } finally {
      setChecking(false)
    }
  }
  return (
    <>
      <Steps
        size={phone ? 'small' : 'default'}
        direction={phone ? 'vertical' : 'horizontal'}
        {...props}
        current={at}
        items={parts.map(({ name, settings, title }, index) => ({
          title: (settings.title ?? title) as ReactNode,
          subTitle: settings.subTitle as ReactNode,
          description: settings.description as ReactNode,
          status: wrong(name) ? 'error' : index < at ? 'finish' : index === at ? 'process' : 'wait',
        }))}
        onChange={(step) => step < at && setCurrent(step)}
      />
      <div className="sb-formily-step">
        <RecursionField key={shown.name} schema={shown.part} name={shown.name} />
      </div>
      <div className="sb-formily-steps">
        <Button disabled={at === 0} onClick={() => setCurrent(at - 1)}>
          {t('previous')}
        </Button>
        {at < parts.length - 1 ? (
          <Button type="primary" ghost loading={checking} onClick={() => void next()}>
            {t('next')}
          </Button>
        ) : null}
      </div>
    </>
  )
})

interface OverProps {
  title?: ReactNode
  /** Text of the button that opens it. */
  trigger?: ReactNode
  width?: number | string
  children?: ReactNode
}

/** A part of the form behind a button: the values are the form's own, so closing keeps them. */
const over = (kind: 'dialog' | 'drawer') =>
  observer(({ title, trigger, width, children }: OverProps) => {
    const field = useField()
    const t = useText()
    const [open, setOpen] = useState(false)
    useFold(useMemo(() => () => setOpen(true), []))
    const shownTitle = title ?? (field.title as ReactNode)
    const wrong = field.form.queryFeedbacks({ type: 'error', address: `${field.address.toString()}.*` }).length > 0
    const done = (
      <Button type="primary" onClick={() => setOpen(false)}>
        {t('close')}
      </Button>
    )
    const disabled = isField(field) && field.pattern === 'disabled'
    return (
      <>
        <Button danger={wrong} disabled={disabled} onClick={() => setOpen(true)}>
          {trigger ?? shownTitle}
        </Button>
        {kind === 'dialog' ? (
          <Modal open={open} title={shownTitle} width={width ?? 640} footer={done} onCancel={() => setOpen(false)}>
            {children}
          </Modal>
        ) : (
          <Drawer open={open} title={shownTitle} width={width ?? 640} footer={done} onClose={() => setOpen(false)}>
            {children}
          </Drawer>
        )}
      </>
    )
  })

export const FormDialog = over('dialog')
export const FormDrawer = over('drawer')

/** Fields behind a text that opens them; whoever looks for one of them opens it, too. */
export const EditPopover = (props: ComponentProps<typeof Editable.Popover>) => {
  const around = useRef<HTMLDivElement>(null)
  useFold(
    useMemo(
      () => () => {
        const text = around.current?.querySelector<HTMLElement>('.ant-formily-editable-content')
        if (!text?.closest('.ant-popover-open')) text?.click()
      },
      [],
    ),
  )
  return (
    <div ref={around} style={{ display: 'contents' }}>
      <Editable.Popover {...props} />
    </div>
  )
}
