package io.sluice.launcher.client;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the whole state of a running process, or of all processes of its Hazelcast cluster. */
@Command(
        name = "dump",
        description = "Prints the whole state of a running process, or of all processes joined with it, as JSON.",
        mixinStandardHelpOptions = true)
public final class DumpCommand implements Callable<Integer> {
    @Option(
            names = "--member",
            paramLabel = "ID",
            description = "only this process, by its id or the beginning of its id")
    private Optional<String> member;

    @Mixin
    private ConsoleOptions console;

    @Override
    public Integer call() {
        try (var state = console.client().get(path())) {
            state.transferTo(System.out);
            System.out.println();
            return 0;
        } catch (IOException broken) {
            throw new ConsoleException("the dump broke off: " + broken.getMessage(), broken);
        }
    }

    private String path() {
        return "dump" + member.map(id -> "?member=" + ConsoleClient.encoded(id)).orElse("");
    }
}
