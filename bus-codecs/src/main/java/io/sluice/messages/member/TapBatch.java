package io.sluice.messages.member;

import java.util.List;

/**
 * The messages that a tap listener in another process has collected since the last request.
 *
 * @param seq of the request
 * @param opened whether this request opened the listener: earlier messages are missing
 * @param messages as the tap of that process shows them: JSON objects without a line break, oldest first; at most
 *     {@link #MESSAGES_MAX}, and not many more than {@link #CHARACTERS_MAX} characters together
 * @param more whether others are waiting
 * @param dropped how many messages were dropped for lack of room since it was opened
 */
public record TapBatch(long seq, boolean opened, List<String> messages, boolean more, long dropped) {
    /** The most messages in a batch. */
    public static final int MESSAGES_MAX = 500;

    /** A batch with so many characters gets no more messages. */
    public static final int CHARACTERS_MAX = 512 * 1024;

    public TapBatch {
        if (messages.size() > MESSAGES_MAX) {
            throw new IllegalArgumentException("a batch has at most " + MESSAGES_MAX + " messages");
        }
        messages = List.copyOf(messages);
    }
}
