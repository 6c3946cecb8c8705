import type { EntityModel } from '../../../src/schema/entity'
import { ready } from '../../../src/schema/formats'
import { newId } from '../../platform/database'
import { ok, ServiceError, type RequestContext } from '../../platform/http'
import type { Core } from '../core'
import type { EntityRecord } from '../calls'
import { requireOperation } from '../write/save'
import { NewRecords } from '../write/saveMany'
import { writeErrorFile } from './errorFile'
import { exampleRow, isExample } from './example'
import type { ImportCheck } from './importCheck'
import { type CheckedRow } from './importCheck'
import { columnKey, importableColumns, knownHeaders, readHeader, type ImportColumn } from './importColumns'
import { checkFor, DocumentCheck } from './importDocuments'
import { commitRows, notes } from './importCommit'
import { ImportStore } from './importStore'
import {
  MOST_TOLD,
  MoreRowsError,
  type ImportOptions,
  type ImportPreview,
  type ImportProblem,
  type ImportResult,
  type ImportState,
  type PreviewOptions,
  type RowNote,
} from './importTypes'
import { readSheet } from './sheetReader'
import { FileRefusedError, type FileRow, type ReadLimits } from './sheetRows'
import { importTemplate } from './template'
import { columnLetter } from './xlsxWriter'

export interface ImportLimits extends ReadLimits {
  /** Milliseconds that an import waits for the next step. */
  expiry: number
}

const DEFAULTS: ImportLimits = { rows: 100_000, unpacked: 300 * 1_048_576, ratio: 150, expiry: 24 * 3_600_000 }
/** Errors that a preview lists; the error file holds all. */
const MOST_LISTED = 1_000
const SAMPLE = 10
/** Rows that a preview also saves on trial, so that the limits and checks of services show before the commit. */
const MOST_TRIED = 500

/** Imports in three steps: template, preview (nothing is written), commit. */
export class Importer {
  private readonly limits: ImportLimits
  private readonly store: ImportStore

  constructor(
    private readonly core: Core,
    limits: Partial<ImportLimits> = {},
  ) {
    this.limits = { ...DEFAULTS, ...limits }
    this.store = new ImportStore(core.database, this.limits.expiry)
  }

  async template(context: RequestContext, model: EntityModel): Promise<Buffer> {
    requireOperation(context, model, 'import')
    return importTemplate(this.core, context, model)
  }

  /** Reads and checks a file. Every problem is told with its row and column; what the file as a whole lacks refuses it (10010013). */
  async preview(
    context: RequestContext,
    model: EntityModel,
    file: { name: string; path: string },
    options: PreviewOptions = {},
  ): Promise<ImportPreview> {
    requireOperation(context, model, 'import')
    const importable = importableColumns(this.core, context, model)
    const fields = importable.map(({ field }) => field)
    await ready(...fields.map((field) => field.kind))
    await this.store.sweep()
    const importId = options.importId ?? newId()
    if (options.importId !== undefined) await this.store.drop(importId)
    const examples = exampleRow(this.core, context, model)
    const example = new Map(importable.map((column, index) => [columnKey(column), examples[index] ?? '']))
    const state: Reading = { columns: [], total: 0, valid: 0, errors: [], warnings: [], sample: [], tried: [] }
    let check: ImportCheck | DocumentCheck | undefined
    const take = async (rows: FileRow[], read: number | null): Promise<void> => {
      options.signal?.throwIfAborted()
      const body = check ? rows : rows.slice(1)
      if (!check) {
        const header = readHeader(this.core, context, model, rows[0]?.cells ?? [])
        if (header.problems.length > 0) throw fileRefused(context, header.problems)
        state.columns = header.columns
        check = checkFor(this.core, context, model, header.columns)
        await this.store.begin(importId, model.name, context, file.name, header.columns)
      }
      const reader = check
      await keep(await reader.batch(body.filter((row) => !isExample(reader.asWritten(row), state.columns, example))), reader)
      options.onProgress?.(read)
    }
    const keep = async (checked: CheckedRow[], reader: ImportCheck | DocumentCheck): Promise<void> => {
      if (state.total + checked.length > (options.mostRows ?? Infinity)) throw new MoreRowsError()
      if (state.total + checked.length <= MOST_TRIED) state.tried.push(...checked)
      else await this.store.addRows(importId, checked)
      collect(state, checked, reader)
    }
    try {
      await readSheet({ path: file.path, headers: knownHeaders(importable), limits: this.limits }, take)
      if (check instanceof DocumentCheck) await keep(await check.rest(), check)
      if (state.total === 0)
        throw fileRefused(context, [], { zh: '文件中没有数据行。', en: 'The file has no rows below its header.' })
      if (check) await this.settleTried(context, model, importId, state, { check, fileName: file.name })
    } catch (error) {
      await this.store.drop(importId)
      if (error instanceof FileRefusedError) throw fileRefused(context, [], error.text)
      throw error
    }
    const { total, valid, errors, warnings, sample } = state
    await this.store.finish(importId, { total, valid, errors, warnings, sample })
    const columns = state.columns.map((column) => ({
      field: columnKey(column),
      title: column.title,
      column: columnLetter(column.index),
    }))
    return { importId, total, valid, columns, errors, warnings, sample }
  }

  async state(context: RequestContext, model: EntityModel, importId: string): Promise<ImportState> {
    requireOperation(context, model, 'import')
    const stored = await this.store.read(this.core.database, importId, model.name, context)
    const { fileName, total, valid, columns, errors, warnings, sample, result } = stored
    if (valid === null) throw unchecked()
    const refused = result === null ? [] : await this.store.refusedRows(importId, MOST_TOLD)
    return { importId, fileName, total, valid, columns, errors, warnings, sample, result: result && { ...result, refused } }
  }

  /** The rows that were not saved, with their reasons, to be mended and imported again. */
  async errorFile(context: RequestContext, model: EntityModel, importId: string): Promise<Buffer> {
    requireOperation(context, model, 'import')
    const stored = await this.store.read(this.core.database, importId, model.name, context)
    return writeErrorFile(this.core, context, model, stored.columns, await this.store.faultyRows(importId))
  }

  /** Saves the rows with everything that a save by hand does. A second call with the same import answers the same. */
  async commit(
    context: RequestContext,
    model: EntityModel,
    request: { importId: string; skipFaulty: boolean },
    options: ImportOptions = {},
  ): Promise<ImportResult> {
    requireOperation(context, model, 'import')
    const { importId } = request
    const result = await this.store.exclusively(importId, async () => {
      const stored = await this.store.read(this.core.database, importId, model.name, context)
      if (stored.valid === null) throw unchecked()
      if (stored.result?.finished) return stored.result
      const faulty = stored.total - stored.valid
      if (faulty > 0 && !request.skipFaulty) {
        throw fileRefused(context, stored.errors, {
          zh: `有 ${faulty} 行错误，请修正文件，或选择跳过错误行。`,
          en: `${faulty} rows are faulty. Please correct the file, or choose to skip them.`,
        })
      }
      return commitRows(this.core, this.store, context, model, { ...stored, valid: stored.valid }, options)
    })
    const { finished: _finished, ...told } = result
    const answer: ImportResult = { ...told, refused: await this.store.refusedRows(importId, MOST_TOLD) }
    if (context.idempotence) await this.core.database.transaction((tx) => context.idempotence!.settle(tx, ok(answer)))
    return answer
  }

  /** Saves the rows of a small file on trial and undoes it, so that refusals of services are told in the preview. */
  private async settleTried(
    context: RequestContext,
    model: EntityModel,
    importId: string,
    state: Reading,
    { check, fileName }: { check: ImportCheck | DocumentCheck; fileName: string },
  ): Promise<void> {
    const checked = this.core.registry.serviceOf(model)?.beforeSave ?? model.document['x-duplicates']
    if (state.total <= MOST_TRIED && checked) {
      const trial = new Error('a trial that is always undone')
      const numbers = Object.fromEntries(
        model.stored.filter(({ sequence }) => sequence && sequence.at === undefined).map((field) => [field.name, `${importId}-`]),
      )
      // a record of the trial has no number that anybody knows: whoever meets it is told its row
      const trialNumber = new RegExp(`${importId}-(\\d+)`, 'g')
      try {
        await this.core.database.transaction(async (tx) => {
          const sound = state.tried.filter(({ problems, follows }) => problems.length === 0 && !follows)
          const records = new NewRecords(this.core, context, model, { origin: 'import', reason: fileName.slice(0, 200) })
          const read = await records.read(
            sound.map(({ values }, index) => ({
              values,
              numbers: Object.fromEntries(Object.keys(numbers).map((name) => [name, `${numbers[name]}${index}`])),
            })),
          )
          const { refused, warned } = await records.save(tx, read)
          const inWords = (message: string): string =>
            message.replace(trialNumber, (_, index: string) => rowInWords(context.locale, sound[Number(index)]!.row))
          const said = notes(sound, warned, (messages) => messages.map((message) => inWords(message[context.locale])).join('; '))
          state.warnings.push(...said.slice(0, MOST_TOLD))
          for (const [index, error] of refused) check.refuse(sound[index]!, error, inWords)
          state.valid -= refused.size
          state.errors = state.tried.flatMap(({ problems }) => problems).slice(0, MOST_LISTED)
          throw trial
        })
      } catch (error) {
        if (error !== trial) throw error
      }
    }
    if (state.tried.length > 0) await this.store.addRows(importId, state.tried)
  }
}

interface Reading {
  columns: ImportColumn[]
  total: number
  valid: number
  errors: ImportProblem[]
  warnings: RowNote[]
  sample: EntityRecord[]
  /** Rows of a small file, kept for the trial. */
  tried: CheckedRow[]
}

function collect(state: Reading, rows: readonly CheckedRow[], check: ImportCheck | DocumentCheck): void {
  for (const row of rows) {
    state.total += 1
    if (row.problems.length === 0) state.valid += 1
    for (const problem of row.problems) if (state.errors.length < MOST_LISTED) state.errors.push(problem)
    if (state.sample.length < SAMPLE) state.sample.push({ ...row.values, $shown: check.inWords(row) })
  }
}

function unchecked(): ServiceError {
  return new ServiceError('notFound', {
    message: {
      zh: '文件还没有检查完，请等待检查结束。',
      en: 'The file has not been checked to its end yet. Wait for the check.',
    },
  })
}

const rowInWords = (locale: RequestContext['locale'], row: number): string =>
  locale === 'zh' ? `本文件第 ${row} 行` : `row ${row} of this file`

function fileRefused(
  context: RequestContext,
  errors: readonly ImportProblem[],
  message?: { zh: string; en: string },
): ServiceError {
  const [first] = errors
  const told = message ?? (first ? { zh: first.message, en: first.message } : undefined)
  return new ServiceError('importRefused', {
    message: told,
    data: {
      errors:
        errors.length > 0
          ? errors
          : told
            ? [{ row: null, field: null, column: null, value: null, message: told[context.locale] }]
            : [],
    },
  })
}
