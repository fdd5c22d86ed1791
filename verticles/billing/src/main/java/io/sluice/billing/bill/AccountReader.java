package io.sluice.billing.bill;

import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.file.BadLine;
import io.sluice.billing.sink.file.EventFiles;
import io.sluice.billing.wire.AccountLine;
import io.sluice.billing.wire.AccountLineJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reads account lines from files. */
public final class AccountReader {
    private AccountReader() {}

    /**
     * Passes every account line of a directory to the consumer, oldest first.
     *
     * @return lines that cannot be read
     * @throws IOException if the directory cannot be read
     */
    public static List<BadLine> read(Path directory, Consumer<AccountLine> lines) throws IOException {
        var badLines = new ArrayList<BadLine>();
        new EventFiles<>(AccountLineJson::read, lines, badLines::add).readAll(directory, EventKind.ACCOUNT);
        return badLines;
    }
}
