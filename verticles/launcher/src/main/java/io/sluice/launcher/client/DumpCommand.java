package io.sluice.launcher.client;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints the whole state of a running process. */
@Command(
        name = "dump",
        description = "Prints the whole state of a running process as JSON.",
        mixinStandardHelpOptions = true)
public final class DumpCommand implements Callable<Integer> {
    @Mixin
    private DoorOptions door;

    @Override
    public Integer call() {
        try (var state = door.client().get("dump")) {
            state.transferTo(System.out);
            System.out.println();
            return 0;
        } catch (IOException broken) {
            throw new DoorException("the dump broke off: " + broken.getMessage(), broken);
        }
    }
}
