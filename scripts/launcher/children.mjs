import { spawn } from 'node:child_process'

/** Child processes that must not outlive the launcher. */
const running = new Set()
let stopping = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    // While a child runs, the signal is ours to handle; afterwards the gateway has its own handlers.
    if (running.size === 0) {
      if (process.listenerCount(signal) === 1) process.exit(130)
      return
    }
    stopping = true
    for (const child of running) child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
    setTimeout(() => {
      for (const child of running) child.kill('SIGKILL')
    }, 15_000).unref()
  })
}

/** The launcher was asked to stop while a child was running. */
export function isStopping() {
  return stopping
}

/**
 * Runs a program to its end, at most `timeout` milliseconds. Its output is kept, not shown.
 * @returns {Promise<{ code: number, output: string }>} code 130 after a signal, 127 when it could not be started
 */
export function runChild(command, args, { cwd, env = process.env, timeout } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    const timer = timeout
      ? setTimeout(() => {
          output += `\nStopped after ${Math.round(timeout / 1000)} s.`
          child.kill('SIGTERM')
          setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
        }, timeout)
      : undefined
    const end = (code) => {
      clearTimeout(timer)
      running.delete(child)
      if (stopping && running.size === 0) process.exit(130)
      resolve({ code, output })
    }
    child.on('error', (error) => {
      output += error.message
      end(127)
    })
    child.on('close', (code, signal) => end(code ?? (signal ? 130 : 1)))
  })
}

/**
 * Starts a program that goes on, in a group of its own: Ctrl-C at the terminal reaches us alone, and we pass it on once.
 * `ended` resolves to its exit code.
 */
export function startChild(command, args, { cwd, env = process.env } = {}) {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
  })
  running.add(child)
  const ended = new Promise((resolve) => {
    const end = (code) => {
      running.delete(child)
      resolve(code)
    }
    child.on('error', () => end(127))
    child.on('close', (code, signal) => end(code ?? (signal ? 130 : 1)))
  })
  return { child, ended }
}
