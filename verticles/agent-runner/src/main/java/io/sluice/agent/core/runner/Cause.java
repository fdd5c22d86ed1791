package io.sluice.agent.core.runner;

import io.sluice.messages.agent.Waiting;
import java.time.Instant;
import java.util.Objects;

/**
 * What keeps a VM from its goal, and why. The words are only made when they are said: most changes are not.
 *
 * @param waiting what
 * @param words why, with numbers
 * @param fault whether its runner failed, in its core or in a port
 * @param stale whether the metrics behind it are stale
 */
public record Cause(Waiting waiting, Words words, boolean fault, boolean stale) {
    /** Makes a sentence. */
    @FunctionalInterface
    public interface Words {
        /** The sentence, as of {@code now}; empty where there is nothing to say. */
        String at(Instant now);
    }

    public Cause {
        Objects.requireNonNull(waiting, "waiting");
        Objects.requireNonNull(words, "words");
    }

    static Cause of(Waiting waiting, Words words) {
        return new Cause(waiting, words, false, false);
    }

    static Cause of(Waiting waiting, String sentence) {
        return new Cause(waiting, now -> sentence, false, false);
    }

    /** A runner failed, and another follows it. */
    public static Cause failed(String sentence, Instant until) {
        return new Cause(Waiting.RETRY, now -> sentence + StandingText.again(until, now), true, false);
    }

    /** Nobody scales the VM. */
    public static Cause stopped(String sentence) {
        return of(Waiting.STOPPED, sentence);
    }

    /** The VM is on its way to another node. */
    public static Cause moving(String sentence) {
        return of(Waiting.MIGRATION, sentence);
    }

    /** The same, and that its numbers are old, where they are. */
    Cause asOf(Freshness.OfVm metrics) {
        if (!metrics.stale()) {
            return this;
        }
        Words both = now -> {
            var why = words.at(now);
            return why.isEmpty() ? metrics.words(now) : why + "; " + metrics.words(now);
        };
        return new Cause(waiting, both, fault, true);
    }
}
