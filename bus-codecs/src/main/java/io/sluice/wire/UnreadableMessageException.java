package io.sluice.wire;

/** A received message that this process cannot read. */
public final class UnreadableMessageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * The message has a version that this process cannot read.
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
     * The bytes do not have the codec's format.
     *
     * @param codec the codec's name
     * @param problem what was found and what was expected
     */
    public UnreadableMessageException(String codec, String problem) {
        super(codec + ": " + problem);
    }

    /**
     * The bytes have the codec's format, but the message's constructor refuses its values.
     *
     * @param codec the codec's name
     * @param refused the constructor's exception
     */
    public UnreadableMessageException(String codec, RuntimeException refused) {
        super(codec + ": " + refused.getMessage(), refused);
    }
}
