package io.sluice.bus;

/** Bytes that came by the bus and are no message that this process can read. */
public final class UnreadableMessageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * The message has a version that this process does not know.
     *
     * @param codec the codec's name
     * @param found the version in the message
     * @param oldestKnown the oldest version that can be read
     * @param newestKnown the newest version that can be read
     */
    public UnreadableMessageException(String codec, int found, int oldestKnown, int newestKnown) {
        super(codec + ": version " + found + " found, versions " + oldestKnown + " to " + newestKnown + " can be read");
    }

    /**
     * The bytes break the format.
     *
     * @param codec the codec's name
     * @param problem what was found and what was expected
     */
    public UnreadableMessageException(String codec, String problem) {
        super(codec + ": " + problem);
    }

    /**
     * The bytes keep the format, but the message itself refuses its values.
     *
     * @param codec the codec's name
     * @param refused what the message said
     */
    public UnreadableMessageException(String codec, RuntimeException refused) {
        super(codec + ": " + refused.getMessage(), refused);
    }
}
