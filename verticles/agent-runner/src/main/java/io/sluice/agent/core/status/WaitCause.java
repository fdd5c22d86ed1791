package io.sluice.agent.core.status;

import io.sluice.messages.agent.Waiting;
import java.time.Instant;
import java.util.Objects;

/**
 * What keeps a VM from its goal, and why. The sentence is made only when it is published, as most changes are not.
 *
 * @param waiting what
 * @param words why, with numbers
 * @param fault whether its runner failed, in its core or in a port
 * @param stale whether the metrics behind it are stale
 */
public record WaitCause(Waiting waiting, Text words, boolean fault, boolean stale) {
    /** Makes a sentence. */
    @FunctionalInterface
    public interface Text {
        /** The sentence, as of {@code now}; may be empty. */
        String at(Instant now);
    }

    public WaitCause {
        Objects.requireNonNull(waiting, "waiting");
        Objects.requireNonNull(words, "words");
    }

    public static WaitCause of(Waiting waiting, Text words) {
        return new WaitCause(waiting, words, false, false);
    }

    public static WaitCause of(Waiting waiting, String sentence) {
        return new WaitCause(waiting, now -> sentence, false, false);
    }

    /** A runner failed, and another follows it. */
    public static WaitCause failed(String sentence, Instant until) {
        return new WaitCause(Waiting.RETRY, now -> sentence + ScalingStatusText.again(until, now), true, false);
    }

    /** No runner scales the VM. */
    public static WaitCause stopped(String sentence) {
        return of(Waiting.STOPPED, sentence);
    }

    /** The VM is on its way to another node. */
    public static WaitCause moving(String sentence) {
        return of(Waiting.MIGRATION, sentence);
    }

    /** The same, with the age of its metrics if they are stale. */
    public WaitCause asOf(Freshness.OfVm metrics) {
        if (!metrics.stale()) {
            return this;
        }
        Text both = now -> {
            var why = words.at(now);
            return why.isEmpty() ? metrics.words(now) : why + "; " + metrics.words(now);
        };
        return new WaitCause(waiting, both, fault, true);
    }

    /** The same, with one more sentence; the same if that is empty. */
    public WaitCause beside(String sentence) {
        if (sentence.isEmpty()) {
            return this;
        }
        Text both = now -> {
            var why = words.at(now);
            return why.isEmpty() ? sentence : why + "; " + sentence;
        };
        return new WaitCause(waiting, both, fault, stale);
    }
}
