/** What goes wrong with a file: the provider no longer has it, or cuts it off when it is read. */
export type MediaFault = 'lost' | 'cut_off';

/** A file at the simulated provider. */
export interface SimulatedMedia {
  id: string;
  /** Only calls for this number see the file. */
  phoneNumberId: string;
  mimeType: string;
  content: Buffer;
  fault?: MediaFault | undefined;
}
