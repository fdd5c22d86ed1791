package io.sluice.hostile;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/**
 * Plays random inputs to a target. Each has a seed of its own, which a failure names: {@code -Dfuzz.seed=<seed>
 * -Dfuzz.inputs=1} plays that one again.
 */
public final class Fuzz {
    /** The inputs of all targets together. */
    private static final long INPUTS = Long.getLong("fuzz.inputs", 100_000);

    private static final long SEED = Long.getLong("fuzz.seed", 20_261_123);
    private static final int PERCENT = 100;
    private static final int LOOKS = 20;
    private static final int SHOWN_MAX = 400;

    /** The growth that caches may cause after some of the inputs. */
    private static final long GROWN_BYTES_MAX = 8 << 20;

    /** How long what has ended may be kept: a closed websocket is for three seconds. */
    private static final Duration KEPT_MAX = Duration.ofSeconds(20);

    /** The time after which an input counts as stuck: any other takes milliseconds. */
    private static final Duration STUCK = Duration.ofMinutes(2);

    private final String name;
    private final long inputs;
    private final Mutator mutator;
    private final Target target;
    private final AtomicLong played = new AtomicLong();
    private final AtomicReference<AssertionError> failure = new AtomicReference<>();

    /** A target of inputs. */
    public interface Target {
        /**
         * Takes one input.
         *
         * @param random makes the choices that the input leaves open
         * @return whether it was valid, and not refused
         * @throws Exception anything but a valid result or a documented refusal
         */
        boolean play(byte[] input, RandomGenerator random) throws Exception;

        /** The state that must be the same after any number of inputs. */
        Object state() throws Exception;
    }

    private Fuzz(String name, long inputs, Mutator mutator, Target target) {
        this.name = name;
        this.inputs = inputs;
        this.mutator = mutator;
        this.target = target;
    }

    /**
     * Plays a part of all inputs to a target.
     *
     * @param percent its part of the inputs of all targets
     * @throws AssertionError with the seed of an input whose result is not permitted
     */
    public static void play(String name, int percent, Mutator mutator, Target target) throws Exception {
        new Fuzz(name, Math.max(1, INPUTS * percent / PERCENT), mutator, target).run();
    }

    private void run() throws Exception {
        var worker = Thread.ofPlatform().name("fuzz").start(this::playAll);
        long before = -1;
        while (!worker.join(STUCK)) {
            if (played.get() == before) {
                var stuck = new AssertionError(words(SEED + before, "does not end"));
                stuck.setStackTrace(worker.getStackTrace());
                throw stuck;
            }
            before = played.get();
        }
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    private void playAll() {
        try {
            requireGoodCorpus();
            playRandom();
        } catch (AssertionError wrong) {
            failure.set(wrong);
        } catch (Throwable wrong) {
            failure.set(new AssertionError(words(SEED + played.get(), "was not refused as it should be"), wrong));
        }
    }

    /**
     * Checks that the corpus is valid. A listener may observe the end of a connection before it has replied, so not
     * every input must be valid.
     */
    private void requireGoodCorpus() throws Exception {
        var refused = new ArrayList<String>();
        for (var valid : mutator.corpus()) {
            if (!target.play(valid, new SplittableRandom(SEED))) {
                refused.add(shown(valid));
            }
        }
        if (refused.size() * 2 > mutator.corpus().size()) {
            throw new AssertionError(name + " refused what is valid: " + refused);
        }
    }

    private void playRandom() throws Exception {
        var state = target.state();
        long valid = 0;
        long used = 0;
        long grown = 0;
        for (long i = 0; i < inputs; i++) {
            valid += playOne(SEED + i) ? 1 : 0;
            played.incrementAndGet();
            if ((i + 1) % Math.max(1, inputs / LOOKS) == 0) {
                unchanged(state);
                used = used == 0 ? retained() : used;
                grown = retained() - used;
            }
        }
        unchanged(state);
        grown = settled(grown, used);
        if (grown > GROWN_BYTES_MAX) {
            throw new AssertionError(name + " keeps " + grown + " bytes more after " + inputs + " inputs than after "
                    + inputs / LOOKS + ", above " + GROWN_BYTES_MAX);
        }
        record("%s: %d inputs from seed %d, of which %d valid; %d bytes kept%n"
                .formatted(name, inputs, SEED, valid, grown));
    }

    /** Measures the growth again, while nothing is played, until it is within the limit. */
    private static long settled(long grownAtEnd, long used) {
        long grown = grownAtEnd;
        long begun = System.nanoTime();
        while (grown > GROWN_BYTES_MAX && System.nanoTime() - begun < KEPT_MAX.toNanos()) {
            grown = retained() - used;
        }
        return grown;
    }

    private boolean playOne(long seed) {
        var random = new SplittableRandom(seed);
        var input = mutator.next(random);
        try {
            return target.play(input, random);
        } catch (Throwable wrong) {
            throw new AssertionError(words(seed, "was not refused as it should be: " + shown(input)), wrong);
        }
    }

    private void unchanged(Object state) throws Exception {
        var now = target.state();
        if (!now.equals(state)) {
            throw new AssertionError(name + " was changed by one of the inputs up to seed " + (SEED + played.get())
                    + ": " + now + ", was " + state);
        }
    }

    private String words(long seed, String what) {
        return name + ": the input " + what + " (again by -Dfuzz.seed=" + seed + " -Dfuzz.inputs=1)";
    }

    private static String shown(byte[] input) {
        var text = new String(input, 0, Math.min(input.length, SHOWN_MAX), StandardCharsets.ISO_8859_1)
                .replaceAll("\\p{Cntrl}", "?");
        return input.length + " bytes, " + text;
    }

    private static long retained() {
        var memory = ManagementFactory.getMemoryMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            memory.gc();
            least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    /** Writes a line besides the test's output, which the build hides if it passes. */
    private static void record(String line) throws IOException {
        System.out.print(line);
        Files.writeString(Path.of("target", "fuzz.txt"), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
