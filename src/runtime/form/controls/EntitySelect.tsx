import { Button } from 'antd'
import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ExpressionError } from '../../../schema/expression'
import { SearchSelect } from '../../choice/SearchSelect'
import { isAborted } from '../../failure'
import { TAGS_ON_PHONE, usePhone } from '../../media'
import type { Evaluate, QueryWhere } from '../../../schema/model'
import { recordScope, useSession, useText, type FormSession } from '../view/session'
import type { ControlProps } from './registry'
import { lazyPart } from '../../part/lazyPart'

const CreateInPlace = lazyPart(() => import('./CreateInPlace'), 'over')

/** Where the records come from. */
export interface Reference {
  entity: string
  /** Base path of the entity's calls. */
  path: string
  label: string
  where: Evaluate<readonly QueryWhere[]>
}

const everything = (): readonly QueryWhere[] => []

interface Found {
  id: string
  title: string
}

const PAUSE = 250
const PAGE = 20

const idsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((id) => (id === null || id === undefined || id === '' ? [] : [String(id)]))

/** The reference of a control: that of its entity field, unless `x-component-props` say otherwise. */
export const referenceOf = (
  { field, props }: Pick<ControlProps, 'field' | 'props'>,
  fallback?: Reference,
): Reference | undefined => {
  const { entity, path, label, where } = props
  const given =
    typeof entity === 'string' && typeof path === 'string'
      ? { entity, path, label: typeof label === 'string' ? label : entity, where: everything }
      : undefined
  const found = given ?? field?.ref ?? fallback
  if (!found || !Array.isArray(where)) return found
  return { ...found, where: (scope) => [...found.where(scope), ...(where as QueryWhere[])] }
}

const NOT_OPEN: { where: string; wrong?: string } = { where: '[]' }

/** The conditions for the record as it stands in the form, as JSON; `wrong` says why they cannot be known. */
const narrow = (reference: Reference, session: FormSession, path: string): typeof NOT_OPEN => {
  try {
    return { where: JSON.stringify(reference.where(recordScope(session, path))) }
  } catch (error) {
    return { where: '[]', wrong: error instanceof ExpressionError ? error.problem.message[session.locale] : String(error) }
  }
}

interface EntitySelectProps extends ControlProps {
  reference: Reference | undefined
  multiple: boolean
}

/**
 * Chooses records of another entity: searches on the server while one types, shows the titles of those that are chosen. With
 * `create` in `x-component-props` (the name of a form page) a missing record can be made in place.
 */
export const EntitySelect = ({
  id,
  value,
  onChange,
  disabled,
  readOnly,
  placeholder,
  props,
  describedBy,
  opened,
  cell,
  path: place,
  reference,
  multiple,
}: EntitySelectProps) => {
  const session = useSession()
  const { host, titles } = session
  const t = useText()
  const phone = usePhone()
  const [open, setOpen] = useState(opened === true && !readOnly)
  const [keyword, setKeyword] = useState('')
  const [found, setFound] = useState<{ for: string; records: readonly Found[] } | null>(null)
  const [failure, setFailure] = useState('')
  const [creating, setCreating] = useState(false)
  const [version, setVersion] = useState(0)
  useSyncExternalStore(titles.subscribe, titles.version)
  const chosen = idsOf(value)
  const { entity, path } = reference ?? { entity: '', path: '' }
  const asked = useRef('')
  // Which records may be chosen depends on what the form holds, which cannot change while the list is open.
  const { where, wrong } = open && reference ? narrow(reference, session, place) : NOT_OPEN

  useEffect(() => {
    titles.ask(entity, path, idsOf(value))
  }, [titles, entity, path, value])

  useEffect(() => {
    if (!open || !path) return
    if (wrong !== undefined) {
      setFailure(wrong)
      host.report(wrong, { entity, field: place })
      return
    }
    const abort = new AbortController()
    const wanted = `${version} ${where} ${keyword}`
    if (asked.current === wanted) return
    const timer = setTimeout(
      () => {
        host
          .request<Found[]>({
            method: 'POST',
            path: `${path}/select`,
            body: {
              pageSize: PAGE,
              where: JSON.parse(where) as QueryWhere[],
              ...(keyword.trim() ? { keyword: keyword.trim() } : {}),
            },
            signal: abort.signal,
          })
          .then((records) => {
            asked.current = wanted
            setFailure('')
            setFound({ for: keyword, records })
          })
          .catch((error: unknown) => {
            if (isAborted(error) || abort.signal.aborted) return
            setFailure(error instanceof Error ? error.message : String(error))
          })
      },
      keyword ? PAUSE : 0,
    )
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [host, keyword, open, path, version, where, wrong, entity, place])

  const create = typeof props.create === 'string' ? props.create : undefined
  const isSearching = open && found?.for !== keyword && !failure
  const options = [
    ...(found?.records ?? []).map((record) => ({ value: record.id, label: record.title })),
    ...chosen
      .filter((one) => !found?.records.some((record) => record.id === one))
      .map((one) => ({ value: one, label: titles.get(entity, one) ?? one })),
  ]
  const choose = (next: unknown): void => {
    const ids = idsOf(next)
    for (const one of ids) {
      const record = found?.records.find((each) => each.id === one)
      if (record) titles.put(entity, one, record.title)
    }
    onChange(multiple ? ids : (ids[0] ?? null))
  }

  return (
    <>
      <SearchSelect
        found
        id={id}
        className="sb-control-wide"
        mode={multiple ? 'multiple' : undefined}
        value={multiple ? chosen : chosen[0]}
        onChange={choose}
        // what stood there before is no answer to what is typed
        options={
          !keyword
            ? options
            : isSearching
              ? []
              : options.filter(({ value: one }) => found?.records.some((record) => record.id === one))
        }
        searchValue={keyword}
        onSearch={setKeyword}
        open={open}
        onOpenChange={(next) => {
          setOpen(next && !readOnly)
          if (!next) setKeyword('')
        }}
        loading={isSearching}
        allowClear
        maxTagCount={!multiple ? undefined : phone && !cell ? TAGS_ON_PHONE : 'responsive'}
        disabled={disabled || readOnly}
        placeholder={placeholder ?? t('searchBy')}
        notFoundContent={
          failure
            ? t('searchFailed', { reason: failure })
            : isSearching
              ? '…'
              : keyword
                ? t('nothingFound', { keyword })
                : t('nothingYet')
        }
        aria-describedby={describedBy}
        variant={cell ? 'borderless' : undefined}
        popupRender={
          create && reference
            ? (menu) => (
                <>
                  {menu}
                  <Button
                    type="link"
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => {
                      setCreating(true)
                      setOpen(false)
                    }}
                  >
                    + {t('createNew', { label: reference.label })}
                  </Button>
                </>
              )
            : undefined
        }
      />
      {creating && create && reference ? (
        <Suspense fallback={null}>
          <CreateInPlace
            page={create}
            title={t('createNew', { label: reference.label })}
            name={keyword}
            onClose={() => setCreating(false)}
            onCreated={(made) => {
              setCreating(false)
              setVersion((count) => count + 1)
              onChange(multiple ? [...chosen, made] : made)
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}
