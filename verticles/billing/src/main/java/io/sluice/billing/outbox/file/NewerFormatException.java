package io.sluice.billing.outbox.file;

/** The file was written by a later Sluice than this one; it is not damaged, and is left as it is. */
public final class NewerFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Of a file with records of that version. */
    public NewerFormatException(int found, int known) {
        super("the outbox was written by a later Sluice: its records have version " + found + ", this one knows "
                + known);
    }
}
