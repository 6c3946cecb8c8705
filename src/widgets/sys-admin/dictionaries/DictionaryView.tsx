import { PlusOutlined } from '@ant-design/icons'
import { Button, Tabs } from 'antd'
import { useActions } from '../../../runtime/action'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { tellFailure } from '../../../runtime/reading/tell'
import { useCall } from '../../../runtime/reading/useCall'
import {
  movedCodes,
  rowsOf,
  SYS_DICT,
  VALUE_FORM,
  type DictionaryDetail,
  type DictionaryUsage,
  type DictionaryValue,
  type ValueAction,
} from './dictionary'
import { History } from './History'
import { dictionaryTexts } from './texts'
import { Values } from './Values'

/** One dictionary: its values, their use, and who changed them. */
export const DictionaryView = ({ name, onChanged }: { name: string; onChanged(): void }) => {
  const call = useCall<DictionaryDetail>({ method: 'GET', path: `${SYS_DICT}/values`, query: { dictionary: name } })
  const usage = useCall<DictionaryUsage>({ method: 'GET', path: `${SYS_DICT}/usage`, query: { dictionary: name } })
  const reload = (): void => {
    call.reload()
    usage.reload()
    onChanged()
  }
  return (
    <Loaded call={call} rows={8}>
      {(detail) => <Dictionary detail={detail} usage={usage.data} onChanged={reload} />}
    </Loaded>
  )
}

interface DictionaryProps {
  detail: DictionaryDetail
  usage: DictionaryUsage | null
  onChanged(): void
}

const Dictionary = ({ detail, usage, onChanged }: DictionaryProps) => {
  const host = useHost()
  const { locale } = host
  const texts = dictionaryTexts[locale]
  const { openForm, outlet } = useActions()
  const target = { dictionary: detail.name, version: detail.version }
  const codes = detail.items.map(({ code }) => code)

  const form = async (title: string, values: Readonly<Record<string, unknown>>): Promise<void> => {
    const answer = await openForm({ form: VALUE_FORM, container: 'drawer', title, values: { ...target, ...values } })
    if (answer) onChanged()
  }
  const send = async (what: string, path: string, body: object, done: string): Promise<void> => {
    try {
      await host.request({ method: 'POST', path: `${SYS_DICT}/${path}`, body: { ...target, ...body }, idempotent: true })
      host.notify('success', done)
    } catch (error) {
      tellFailure(host, error, 'management of access', (reason) => texts.failed(what, reason))
    }
    // after a refusal, too: somebody else may have changed the dictionary
    onChanged()
  }
  const order = (next: readonly string[]): Promise<void> => send(texts.order, 'order', { codes: next }, texts.done.order)
  const act = async (action: ValueAction, value: DictionaryValue): Promise<void> => {
    const label = value.label[locale]
    const { code } = value
    const at = codes.indexOf(code)
    switch (action) {
      case 'edit':
        return form(texts.editTitle(label), {
          create: false,
          code,
          zh: value.label.zh,
          en: value.label.en,
          color: value.color ?? 'default',
        })
      case 'up':
        return order(movedCodes(codes, code, codes[at - 1] ?? code))
      case 'down':
        return order(movedCodes(codes, code, codes[at + 1] ?? code))
      case 'retire': {
        const rows = usage ? rowsOf(usage, code) : 0
        const content = texts.retireText(rows === 0 ? texts.unused : texts.rows(rows.toLocaleString(locale)))
        if (!(await host.confirm({ title: texts.retireTitle(label), content, okText: texts.actions.retire }))) return
        return send(texts.actions.retire, 'retire', { code, retired: true }, texts.done.retire)
      }
      case 'restore':
        return send(texts.actions.restore, 'retire', { code, retired: false }, texts.done.restore)
      case 'remove':
        if (
          !(await host.confirm({
            title: texts.removeTitle(label),
            content: texts.removeText,
            danger: true,
            okText: texts.actions.remove,
          }))
        )
          return
        return send(texts.actions.remove, 'remove', { code }, texts.done.remove)
    }
  }

  return (
    <>
      <header className="sb-split-head">
        <h2>{detail.label[locale]}</h2>
        <span className="sb-admin-key">{detail.name}</span>
        <span className="sb-choice-more">{texts.count(detail.values)}</span>
        {detail.mayEdit && (
          <div className="sb-split-head-end">
            <Button
              type="primary"
              icon={<PlusOutlined />}
              onClick={() => void form(texts.addTitle(detail.label[locale]), { create: true })}
            >
              {texts.add}
            </Button>
          </div>
        )}
      </header>
      {!detail.editable && <p className="sb-admin-note">{texts.fixedHelp}</p>}
      {detail.editable && !detail.mayEdit && <p className="sb-admin-note">{texts.readOnly}</p>}
      <Tabs
        items={[
          {
            key: 'values',
            label: texts.tabs.values,
            children: (
              <>
                <Values
                  detail={detail}
                  usage={usage}
                  onAction={(action, value) => void act(action, value)}
                  onOrder={(next) => void order(next)}
                />
                {usage && (
                  <p className="sb-admin-note sb-dict-usages">
                    {usage.fields.length === 0
                      ? texts.nowhere
                      : texts.usedIn(usage.fields.map((field) => field[locale]).join(locale === 'zh' ? '、' : ', '))}
                  </p>
                )}
              </>
            ),
          },
          { key: 'log', label: texts.tabs.log, children: <History key={detail.version} detail={detail} /> },
        ]}
      />
      {outlet}
    </>
  )
}
