package io.sluice.workers.agent;

import io.sluice.units.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What an instance starts, whatever its kind. */
interface Startable {
    /**
     * A command that is ready to run.
     *
     * @param environment may have secrets, and so is in no message and no argument
     * @param cleanup a script that ends what no signal to the command reaches; empty if there is no such thing
     */
    record Prepared(List<String> command, Map<String, String> environment, String cleanup) {}

    /**
     * Writes what the command needs.
     *
     * @param directory is the instance's own; it need not exist
     */
    Prepared prepare(Path directory, String instance) throws IOException;

    /** With limits of that size where the kind sets them itself. */
    default Startable limited(Resources amounts) {
        return this;
    }
}
