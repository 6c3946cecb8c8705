declare module 'wawoff2' {
  const woff2: {
    /** The OpenType font in a WOFF2 file. */
    decompress(file: Uint8Array): Promise<Uint8Array>
  }
  export default woff2
}
