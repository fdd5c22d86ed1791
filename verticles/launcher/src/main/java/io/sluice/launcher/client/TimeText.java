package io.sluice.launcher.client;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a time of the command line. */
public final class TimeText implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException garbage) {
            throw new TypeConversionException("'" + text + "' is no time such as 2026-11-21T03:00:00Z");
        }
    }
}
