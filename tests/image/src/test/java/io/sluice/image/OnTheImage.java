package io.sluice.image;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Marks a test that needs the archive of an image. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfSystemProperty(
        named = Image.ARCHIVE,
        matches = ".+",
        disabledReason = "needs an image: mvn -Pimage makes one and plays it")
@interface OnTheImage {}
