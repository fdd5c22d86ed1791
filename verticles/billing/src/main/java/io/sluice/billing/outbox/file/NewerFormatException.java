package io.sluice.billing.outbox.file;

/** The file was written by a later version of Sluice. It is not damaged, and is not changed. */
public final class NewerFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception for records of a later version. */
    public NewerFormatException(int found, int known) {
        super("the outbox was written by a later Sluice: its records have version " + found + ", this version reads "
                + known);
    }
}
