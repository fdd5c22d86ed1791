package io.sluice.shell.config;

import io.sluice.shell.Portion;
import io.sluice.shell.Portions;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;

/** A config record with every type that can be bound. */
public record Sample(List<Colour> colours, Agent agent, Gateway gateway, Portions reserve) {
    public static final Sample DEFAULTS = new Sample(
            List.of(Colour.RED),
            Agent.DEFAULTS,
            Gateway.DEFAULTS,
            new Portions(new Portion.Amount(250), new Portion.Share(100_000)));

    public enum Colour {
        RED,
        DARK_BLUE
    }

    public record Agent(Duration scrapePeriod, Duration retryWait, double share, Resources computeUnit, Colour colour) {
        public static final Agent DEFAULTS =
                new Agent(Duration.ofSeconds(5), Duration.ofSeconds(10), 0.9, new Resources(250, 1L << 30), Colour.RED);

        public Agent {
            if (retryWait.compareTo(scrapePeriod) <= 0) {
                throw new IllegalArgumentException("agent.retryWait=" + Durations.text(retryWait)
                        + " must exceed agent.scrapePeriod=" + Durations.text(scrapePeriod));
            }
        }
    }

    public record Gateway(Listener health, List<Listener> listeners, List<String> names) {
        public static final Gateway DEFAULTS = new Gateway(Listener.DEFAULTS, List.of(), List.of());
    }

    public record Listener(String host, int port, long bytesMax, boolean insecure) {
        public static final Listener DEFAULTS = new Listener("127.0.0.1", 9100, 1L << 20, false);

        public Listener {
            if (port < 0 || port > 65_535) {
                throw new IllegalArgumentException("port=" + port + " must be between 0 and 65535");
            }
        }
    }
}
