package io.sluice.sinks;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/** Marks tests that need the stand-ins for object stores. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(
        value = "io.sluice.sinks.StandIn#areThere",
        disabledReason = "needs stand-ins for object stores: with node and npm, mvn -Psinks fetches and plays them")
@interface OnStandIns {}
