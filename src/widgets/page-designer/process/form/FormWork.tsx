import { ArrowLeftOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { Alert, Button, Input, Modal, Tabs, Tag, Timeline } from 'antd'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { isAborted, toFailure } from '../../../../runtime/failure'
import { useHost } from '../../../../runtime/hostContext'
import { momentText } from '../../../../runtime/reading/moment'
import { useCall } from '../../../../runtime/reading/useCall'
import type { Form, ProcessDocument } from '../../../../schema/generated/process'
import type { JsonObject } from '../../../../schema/overlay'
import type { Problem } from '../../../../schema/problem'
import { DesignContext, SurroundingsContext } from '../../editor/design'
import { useUndoKeys } from '../../editor/useUndoKeys'
import { CODE } from '../facts/Facts'
import { useCatalogue } from '../panel/catalogue'
import { ChoiceRow, LineRow, TextRow } from '../panel/Row'
import { behindOf, problemsOfRefusal, type Behind } from '../problems'
import { PublishSession } from '../session'
import { processTexts } from '../texts'
import type { FormDetail, ProcessDetail } from '../types'
import { useProcessDesign } from '../useProcessDesign'
import { useProcessProblems } from '../useProcessProblems'
import { choicesOf, textIn } from '../words'
import { CopyFields } from './CopyFields'
import { FormEditor } from './FormEditor'
import { ImportFields } from './ImportFields'

interface Props {
  detail: FormDetail | null
  onLeave(): void
  onReload(): void
}

/** What a form is besides its fields. */
interface Head {
  code: string
  label: { zh: string; en: string }
  service: string | null
}

/** The form as a process around which nothing stands, so that everything that is drawn of processes can be drawn of it. */
const around = ({ code, label }: Head, form: Form): ProcessDocument => ({
  formatVersion: 3,
  name: code,
  label,
  group: 'ops',
  prefix: 'F',
  form,
  nodes: [
    { id: 'start', kind: 'start', label: { zh: '发起', en: 'Start' } },
    { id: 'end', kind: 'end' },
  ],
})

/** A form being designed, saved as a whole: the processes that use it get a version with it. */
export const FormWork = ({ detail, onLeave, onReload }: Props) => {
  const host = useHost()
  const { locale } = host
  const texts = processTexts[locale]
  const catalogue = useCatalogue()
  const [session] = useState(() => {
    const head: Head = {
      code: detail?.code ?? '',
      label: detail?.name ?? { zh: '', en: '' },
      service: detail?.serviceName ?? null,
    }
    const begun = { head, form: detail?.definition ?? { fields: {} } }
    return new PublishSession(host.drafts, `form.${detail?.code ?? ''}`, begun as unknown as JsonObject, detail?.versionNo ?? 0)
  })
  const state = useSyncExternalStore(session.subscribe, session.snapshot)
  const { head, form } = state.history.present as unknown as { head: Head; form: Form }
  const process = useMemo(() => around(head, form), [head, form])
  const put = useCallback(
    (next: Partial<{ head: Head; form: Form }>, key: string | null): void =>
      session.edit({ ...session.document, ...next } as JsonObject, key),
    [session],
  )
  const edit = useCallback((next: JsonObject) => put({ form: (next as unknown as ProcessDocument).form }, null), [put])
  const design = useProcessDesign(catalogue, process, edit)
  const checked = useProcessProblems(process)
  const [refused, setRefused] = useState<{ of: Form; problems: readonly Problem[] } | null>(null)
  const problems = useMemo(
    () => [...checked.filter(({ at }) => at.startsWith('/form')), ...(refused?.of === form ? refused.problems : [])],
    [checked, refused, form],
  )
  const [tab, setTab] = useState<'form' | 'facts' | 'versions'>(detail === null ? 'facts' : 'form')
  const [seenBy, setSeenBy] = useState<string | null>(detail?.processes[0]?.code ?? null)
  const user = useCall<ProcessDetail>(
    seenBy === null ? null : { method: 'GET', path: `/v2/workflow/process/update/${encodeURIComponent(seenBy)}` },
  )
  const [saving, setSaving] = useState(false)
  const [importing, setImporting] = useState(false)
  const [copying, setCopying] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  useUndoKeys(root, session, true)
  const { unsaved } = session
  useEffect(() => {
    host.setUnsaved(unsaved)
    return () => host.setUnsaved(false)
  }, [host, unsaved])
  useEffect(() => () => session.keep(), [session])
  const title = textIn(head.label, locale) || texts.newForm
  useEffect(() => host.setTitle?.(title), [host, title])
  const drop = async (): Promise<void> => {
    if (await host.confirm({ title: texts.dropAsk, danger: true, okText: texts.drop })) session.drop()
  }
  const errors = problems.filter(({ severity }) => severity === 'error')
  return (
    <SurroundingsContext value={design}>
      <DesignContext value={design}>
        <div ref={root} className="sb-design-work">
          <header className="sb-design-head">
            <Button type="text" icon={<ArrowLeftOutlined />} aria-label={texts.back} onClick={onLeave} />
            <h1>{title}</h1>
            {head.code !== '' && <code>{head.code}</code>}
            <Tag>{detail ? texts.version(detail.versionNo) : texts.neverPublished}</Tag>
            {detail?.processes.map(({ id, code, nameZh, nameEn }) => (
              <Button
                key={id}
                size="small"
                type="link"
                className="sb-process-link"
                onClick={() => host.navigate(`/setModule/process/configer/design?id=${encodeURIComponent(code)}`)}
              >
                {locale === 'zh' ? nameZh : nameEn}
              </Button>
            ))}
            <span className="sb-design-grow" />
            <span role="status" className="sb-design-status">
              {unsaved ? texts.unsaved : detail ? texts.saved : ''}
            </span>
            <Button
              size="small"
              icon={<UndoOutlined />}
              aria-label={texts.undo}
              title={`${texts.undo} (Ctrl+Z)`}
              disabled={state.history.past.length === 0}
              onClick={session.undo}
            />
            <Button
              size="small"
              icon={<RedoOutlined />}
              aria-label={texts.redo}
              title={`${texts.redo} (Ctrl+Shift+Z)`}
              disabled={state.history.future.length === 0}
              onClick={session.redo}
            />
            <Button size="small" danger disabled={!unsaved} onClick={() => void drop()}>
              {texts.drop}
            </Button>
            <Button size="small" type="primary" disabled={!unsaved} onClick={() => setSaving(true)}>
              {texts.formPublish}
            </Button>
            {state.restored && (
              <Alert
                type={session.behind ? 'warning' : 'info'}
                showIcon
                message={session.behind ? `${texts.restored}. ${texts.behind}` : texts.restored}
              />
            )}
            {errors.length > 0 && (
              <Alert
                type="error"
                showIcon
                message={texts.problems(errors.length)}
                description={
                  <ul className="sb-design-differences">
                    {errors.slice(0, 5).map(({ message }, index) => (
                      <li key={index}>{message[locale]}</li>
                    ))}
                  </ul>
                }
              />
            )}
          </header>
          <Tabs
            size="small"
            activeKey={tab}
            onChange={(key) => setTab(key as typeof tab)}
            items={[
              { key: 'form', label: texts.fields },
              { key: 'facts', label: texts.tabs.facts },
              ...(detail ? [{ key: 'versions', label: texts.tabs.versions }] : []),
            ]}
          />
          {tab === 'form' && (
            <FormEditor
              process={process}
              {...(user.data ? { seenBy: user.data.document } : {})}
              problems={problems}
              onChange={(next) => put({ form: next }, 'form')}
              more={
                <>
                  <Button size="small" onClick={() => setCopying(true)}>
                    {texts.copyFrom}
                  </Button>
                  {detail && (
                    <Button
                      size="small"
                      onClick={() => setImporting(true)}
                      disabled={unsaved}
                      title={unsaved ? texts.unsaved : undefined}
                    >
                      {texts.importExcel}
                    </Button>
                  )}
                  {detail && (
                    <ChoiceRow
                      label={texts.usedIn}
                      value={seenBy ?? undefined}
                      otherwise={undefined}
                      {...(detail.processes.length === 0 ? { help: texts.usedNowhere } : {})}
                      options={detail.processes.map(({ code, nameZh, nameEn }) => ({
                        value: code,
                        label: locale === 'zh' ? nameZh : nameEn,
                      }))}
                      onChange={(next) => setSeenBy(next ?? null)}
                    />
                  )}
                </>
              }
            />
          )}
          {tab === 'facts' && (
            <div className="sb-process-facts">
              <section aria-label={texts.settings}>
                <TextRow
                  label={texts.name}
                  value={head.label}
                  onChange={(label) => put({ head: { ...head, label: label ?? { zh: '', en: '' } } }, 'head')}
                />
                <LineRow
                  label={texts.code}
                  help={texts.codeHelp}
                  mono
                  disabled={detail !== null}
                  wrong={!CODE.test(head.code)}
                  value={head.code}
                  onChange={(code) => put({ head: { ...head, code: code.trim() } }, 'head')}
                />
                <ChoiceRow
                  label={texts.service}
                  value={head.service ?? undefined}
                  options={choicesOf(catalogue, 'serviceName', locale)}
                  onChange={(service) => put({ head: { ...head, service: service ?? null } }, 'head')}
                />
              </section>
            </div>
          )}
          {tab === 'versions' && detail && (
            <div className="sb-process-versions">
              <Timeline
                items={detail.versions.map((version, index) => ({
                  key: version.id,
                  color: index === 0 ? 'green' : 'gray',
                  children: (
                    <article aria-label={texts.version(version.no)}>
                      <header className="sb-design-bar">
                        <strong>{texts.version(version.no)}</strong>
                        <span className="sb-design-help">
                          {texts.by(version.savedBy ?? texts.system, momentText(host, version.savedAt))}
                        </span>
                        {index > 0 && (
                          <Button
                            size="small"
                            type="link"
                            onClick={() => {
                              put({ form: version.definition }, null)
                              setTab('form')
                              host.notify('success', texts.restoreDone(version.no))
                            }}
                          >
                            {texts.restore}
                          </Button>
                        )}
                      </header>
                      {version.note && <p>{version.note}</p>}
                      {version.changes.length > 0 ? (
                        <ul className="sb-design-differences">
                          {version.changes.map(({ id, text }) => (
                            <li key={id}>{textIn(text, locale)}</li>
                          ))}
                        </ul>
                      ) : (
                        <small className="sb-design-help">
                          {index === detail.versions.length - 1 ? texts.firstVersion : texts.noChanges}
                        </small>
                      )}
                    </article>
                  ),
                }))}
              />
            </div>
          )}
          {saving && (
            <SaveDialog
              detail={detail}
              head={head}
              form={form}
              wrong={errors.length > 0 || !CODE.test(head.code) || head.label.zh === '' || head.label.en === ''}
              onRefused={(found) => setRefused({ of: form, problems: found })}
              onClose={() => setSaving(false)}
              onTakeTheirs={() => {
                session.drop()
                session.keep()
                onReload()
              }}
              onSaved={(id) => {
                setSaving(false)
                session.published(session.document)
                host.setUnsaved(false)
                if (detail) onReload()
                else host.navigate(`/setModule/process/formword/design?id=${encodeURIComponent(id)}`, { replace: true })
              }}
            />
          )}
          {copying && (
            <CopyFields
              form={form}
              without={detail?.id ?? null}
              onClose={() => setCopying(false)}
              onCopied={(next, count) => {
                put({ form: next }, null)
                setCopying(false)
                host.notify('success', texts.copied(count))
              }}
            />
          )}
          {importing && detail && <ImportFields formId={detail.id} onClose={() => setImporting(false)} onDone={onReload} />}
        </div>
      </DesignContext>
    </SurroundingsContext>
  )
}

interface SaveProps {
  detail: FormDetail | null
  head: Head
  form: Form
  wrong: boolean
  onRefused(problems: readonly Problem[]): void
  onClose(): void
  onTakeTheirs(): void
  onSaved(id: string): void
}

const SaveDialog = ({ detail, head, form, wrong, onRefused, onClose, onTakeTheirs, onSaved }: SaveProps) => {
  const host = useHost()
  const { locale } = host
  const texts = processTexts[locale]
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [behind, setBehind] = useState<Behind | null>(null)
  const save = async (basedOn: number | undefined): Promise<void> => {
    setBusy(true)
    setFailure(null)
    try {
      const saved = await host.request<{ id: string; versionNo: number; processes: readonly unknown[] }>({
        method: 'POST',
        path: '/v2/workflow/form/save',
        body: {
          ...(detail ? { id: detail.id, basedOn } : { code: head.code }),
          name: head.label,
          definition: form,
          ...(head.service === null ? {} : { serviceName: head.service }),
          ...(note.trim() === '' ? {} : { note: note.trim() }),
        },
        idempotent: true,
      })
      host.notify('success', texts.formSaved(saved.versionNo, saved.processes.length))
      onSaved(saved.id)
    } catch (error) {
      if (isAborted(error)) return
      setBehind(behindOf(error))
      const found = problemsOfRefusal(error)
      if (found.length > 0) onRefused(found)
      setFailure(texts.notPublished(toFailure(error, locale).message))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      title={texts.formPublish}
      okText={texts.formPublish}
      okButtonProps={{ disabled: wrong || behind !== null, loading: busy }}
      onOk={() => void save(detail?.versionNo)}
      onCancel={onClose}
    >
      <p>{texts.formPublishHelp(detail?.processes.length ?? 0)}</p>
      <label>
        {texts.note}
        <Input.TextArea
          rows={3}
          maxLength={500}
          value={note}
          placeholder={texts.noteHelp}
          onChange={(event) => setNote(event.target.value)}
        />
      </label>
      {behind ? (
        <Alert
          type="warning"
          showIcon
          message={texts.conflictTitle}
          description={
            <>
              <p>{texts.conflictText(behind.by, momentText(host, behind.at))}</p>
              <div className="sb-design-row-actions">
                <Button size="small" type="primary" loading={busy} onClick={() => void save(behind.version)}>
                  {texts.keepMine}
                </Button>
                <Button size="small" onClick={onTakeTheirs}>
                  {texts.takeTheirs}
                </Button>
              </div>
            </>
          }
        />
      ) : (
        failure && <Alert type="error" showIcon message={failure} />
      )}
    </Modal>
  )
}
