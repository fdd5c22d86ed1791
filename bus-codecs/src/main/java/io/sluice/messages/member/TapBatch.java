package io.sluice.messages.member;

import java.util.List;

/**
 * What a listener in another process has heard since it was last asked.
 *
 * @param seq of the question
 * @param opened whether this question opened the listener: what passed before it was not heard
 * @param messages as the tap of that process shows them: JSON objects without a line break, oldest first; at most
 *     {@link #MESSAGES_MAX}, and not many more than {@link #CHARACTERS_MAX} characters together
 * @param more whether others wait already
 * @param dropped how many there was no room for since it was opened
 */
public record TapBatch(long seq, boolean opened, List<String> messages, boolean more, long dropped) {
    /** No batch has more messages. */
    public static final int MESSAGES_MAX = 500;

    /** Once a batch has so many characters no message is added. */
    public static final int CHARACTERS_MAX = 512 * 1024;

    public TapBatch {
        if (messages.size() > MESSAGES_MAX) {
            throw new IllegalArgumentException("a batch has at most " + MESSAGES_MAX + " messages");
        }
        messages = List.copyOf(messages);
    }
}
