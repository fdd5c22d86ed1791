package io.sluice.lab;

import java.time.Duration;

/**
 * Section {@code lab}: the embedded fleet.
 *
 * @param address loopback address that its Kubernetes API listens on
 * @param apiPort port of that API; 0 takes a free one
 * @param day how long a day of the recorded load takes
 * @param seed of what is left to chance
 * @param controllerDelayMin a patched size becomes real no sooner than this
 * @param controllerDelayMax and no later than this
 * @param auditEvery how often the books are compared with the VMs
 */
public record LabConfig(
        String address,
        int apiPort,
        Duration day,
        long seed,
        Duration controllerDelayMin,
        Duration controllerDelayMax,
        Duration auditEvery) {
    /** What holds where no key is set. */
    public static final LabConfig DEFAULTS = new LabConfig(
            "127.0.0.1",
            0,
            Duration.ofSeconds(60),
            20_261_121,
            Duration.ofMillis(200),
            Duration.ofMillis(700),
            Duration.ofMillis(250));

    public LabConfig {
        if (!address.startsWith("127.")) {
            throw new IllegalArgumentException("lab.address must be a loopback address, such as 127.0.0.1: " + address);
        }
        if (apiPort < 0 || apiPort > 65_535) {
            throw new IllegalArgumentException("lab.apiPort must be from 0 to 65535: " + apiPort);
        }
        if (day.compareTo(Duration.ofSeconds(1)) < 0 || day.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("lab.day must be from 1s to 24h: " + day);
        }
        if (controllerDelayMin.toMillis() < 1) {
            throw new IllegalArgumentException("lab.controllerDelayMin must be at least 1ms: " + controllerDelayMin);
        }
        if (controllerDelayMax.compareTo(controllerDelayMin) < 0) {
            throw new IllegalArgumentException("lab.controllerDelayMax=" + controllerDelayMax
                    + " must not be below lab.controllerDelayMin=" + controllerDelayMin);
        }
        if (auditEvery.toMillis() < 10) {
            throw new IllegalArgumentException("lab.auditEvery must be at least 10ms: " + auditEvery);
        }
    }
}
