package io.sluice.hostile;

import io.sluice.monitor.core.CallKind;
import io.sluice.monitor.core.ConnectionAction;
import io.sluice.monitor.core.ConnectionEvent;
import io.sluice.monitor.core.MonitorConfig;
import io.sluice.monitor.core.MonitorConnection;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Random messages of a monitor, to a monitor session that is made for each input: each requested resize has exactly one
 * outcome, what is sent stays short, and nothing is thrown.
 */
@Isolated("measures what the heap keeps")
class MonitorFuzzTest {
    private static final int BYTES_MAX = 16 << 10;
    private static final int SENT_MAX = 2000;
    private static final long REQUEST = 1;
    private static final Instant START = Instant.parse("2026-11-21T00:00:00Z");
    private static final VmId VM = new VmId("neonvm", "default", "vm", "uid");
    private static final Resources TWO = new Resources(500, 2L << 30);

    /** The separator of messages: a byte that no text contains. */
    private static final String END = "\u00ff";

    private static final String LIVE = "{\"version\":1}" + END + "{\"type\":\"HealthCheck\",\"id\":2}" + END;
    private static final List<byte[]> CORPUS = sessions(
            LIVE + "{\"type\":\"UpscaleConfirmation\",\"id\":4}",
            LIVE + "{\"type\":\"DownscaleResult\",\"Ok\":true,\"Status\":\"fine\",\"id\":4}",
            LIVE + "{\"type\":\"UpscaleRequest\",\"id\":3}" + END + "{\"type\":\"UpscaleRequest\",\"id\":5}",
            LIVE + "{\"type\":\"InvalidMessage\",\"error\":\"what?\",\"id\":4}",
            LIVE + "{\"type\":\"InternalError\",\"error\":\"oh\",\"id\":4}",
            LIVE + "{\"type\":\"Another\",\"id\":4}" + END + "{\"type\":\"HealthCheck\",\"id\":6}",
            "{\"version\":1}" + END + "{\"type\":\"UpscaleRequest\",\"id\":1}");
    private static final List<byte[]> WORDS = sessions(
            END,
            "{\"error\":\"none\"}",
            "\"id\":4",
            "\"id\":4.0",
            "\"id\":\"4\"",
            "\"Ok\":null",
            "\"Status\":1",
            "\"type\":",
            "HealthCheck",
            "\\ud800",
            "\\u0000",
            "{}",
            "[]",
            "1",
            "/*",
            "NaN");

    private static List<byte[]> sessions(String... texts) {
        var sessions = new ArrayList<byte[]>();
        for (var text : texts) {
            sessions.add(text.getBytes(StandardCharsets.ISO_8859_1));
        }
        return sessions;
    }

    /** One link through one input. */
    private static final class Session {
        private final MonitorConnection link;
        private final List<ConnectionAction> done = new ArrayList<>();
        private Instant now = START;

        Session(RandomGenerator random) {
            link = new MonitorConnection(VM, MonitorConfig.DEFAULTS, random, 0, START);
        }

        void on(ConnectionEvent event) {
            done.addAll(link.on(event, now));
        }

        boolean play(byte[] input, RandomGenerator random) {
            on(new ConnectionEvent.Requested());
            on(new ConnectionEvent.Opened(1));
            boolean lived = false;
            for (var text : new String(input, StandardCharsets.ISO_8859_1).split(END, -1)) {
                // Texts as they come out of frames: broken UTF-8 never gets this far, any other text does.
                on(new ConnectionEvent.Received(1, text));
                now = now.plusMillis(random.nextInt(20));
                if (!lived && link.state().connected()) {
                    lived = true;
                    var kind = random.nextBoolean() ? CallKind.UPSCALE : CallKind.DOWNSCALE;
                    on(new ConnectionEvent.ResizeRequested(
                            REQUEST, kind, link.state().generation(), TWO));
                }
            }
            now = now.plusSeconds(1);
            on(new ConnectionEvent.Unwanted("the input is over"));
            check(lived ? 1 : 0);
            return lived;
        }

        private void check(int requested) {
            long answered = done.stream()
                    .filter(ConnectionAction.Answer.class::isInstance)
                    .count();
            if (answered != requested) {
                throw new IllegalStateException(requested + " asked, " + answered + " answered");
            }
            if (!link.over()) {
                throw new IllegalStateException("goes on although it was detached");
            }
            for (var action : done) {
                if (action.toString().length() > SENT_MAX) {
                    throw new IllegalStateException("long: " + action);
                }
            }
        }
    }

    private static final class Sessions implements Fuzz.Target {
        @Override
        public boolean play(byte[] input, RandomGenerator random) {
            return new Session(random).play(input, random);
        }

        @Override
        public Object state() {
            return CORPUS.stream().map(Sessions::played).toList();
        }

        private static List<ConnectionAction> played(byte[] input) {
            var session = new Session(new SplittableRandom(1));
            session.play(input, new SplittableRandom(1));
            return session.done;
        }
    }

    @Test
    void aMonitorsMessagesAreTakenOrEndTheSessionAndNothingElse() throws Exception {
        Fuzz.play("monitor messages", 16, new Mutator(CORPUS, WORDS, BYTES_MAX), new Sessions());
    }
}
