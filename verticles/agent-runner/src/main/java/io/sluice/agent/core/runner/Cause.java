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
 */
public record Cause(Waiting waiting, Words words, boolean fault) {
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
        return new Cause(waiting, words, false);
    }

    static Cause of(Waiting waiting, String sentence) {
        return new Cause(waiting, now -> sentence, false);
    }

    /** A runner failed, and another follows it. */
    public static Cause failed(String sentence, Instant until) {
        return new Cause(Waiting.RETRY, now -> sentence + StandingText.again(until, now), true);
    }

    /** Nobody scales the VM. */
    public static Cause stopped(String sentence) {
        return of(Waiting.STOPPED, sentence);
    }

    /** The VM is on its way to another node. */
    public static Cause moving(String sentence) {
        return of(Waiting.MIGRATION, sentence);
    }
}
