let context: AudioContext | null = null

function tone(frequency: number, seconds: number, after: number): void {
  if (!context) return
  const oscillator = context.createOscillator()
  const gain = context.createGain()
  oscillator.frequency.value = frequency
  gain.gain.value = 0.15
  oscillator.connect(gain).connect(context.destination)
  oscillator.start(context.currentTime + after)
  oscillator.stop(context.currentTime + after + seconds)
}

/** One short high beep for a piece that is taken, two low ones for one that is not. Silent where the browser has no sound. */
export function beep(good: boolean): void {
  try {
    context ??= new AudioContext()
    if (good) tone(1_400, 0.07, 0)
    else for (const after of [0, 0.2]) tone(240, 0.15, after)
  } catch {
    context = null
  }
}
